# SPDX-License-Identifier: MIT
"""How Spark finds the format "jfr": packages called pyspark_* are asked for their DefaultSource."""

from jfrec.spark import JfrDataSource as DefaultSource

__all__ = ["DefaultSource"]
