// Does nothing: its target has the headers that all tests include (cmake/Rooms.cmake).
int main() {}
