heddle generate handover 2 3
