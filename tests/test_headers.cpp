// SPDX-License-Identifier: GPL-3.0-or-later
// Does nothing: its target has the headers that all tests include (cmake/Modules.cmake).
int main() {}
