bundle() { :; }
