heddle --version
heddle version
