"""What others rely on and cannot be asked about: old workers, sent emails, installed pages,
scripts, crontabs, dashboards and files of operators.

Each test compares with values that are written here as literals, never imported from the code. A
literal marked `# may be renamed` is a name inside Python, or an address that stands in no email;
it may follow a renaming. Every other literal stays as it is: if a test fails, the code is wrong.
"""
