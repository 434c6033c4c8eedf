/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of the library's functions only those that say what the library is. */
const char* slipstream_error(void);
int slipstream_abi(void);

const char* slipstream_error(void) {
  return "";
}

int slipstream_abi(void) {
  return 1;
}
