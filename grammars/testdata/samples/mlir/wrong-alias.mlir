#map = 
