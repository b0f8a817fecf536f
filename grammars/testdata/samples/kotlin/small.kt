fun f(x: Int = 1): String? = when (x) { 1 -> "a"; else -> null }
