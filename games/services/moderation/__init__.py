"""What moderators do: each act with a reason, told to whom it concerns, and in the log for ever.

`log` is the one writer of the log; `people`, `talk` and `verdicts` are what can be done to
players, to what they wrote and to their games; `reports` is what players ask for.
"""
