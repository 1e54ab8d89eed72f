"""Marrakech: steer Assam, roll, pay, lay rugs."""
