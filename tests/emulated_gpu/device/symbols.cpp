// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/device/symbols.h"

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include "engine/base/error.h"

namespace emulated_gpu {
namespace {

/// How far from the addresses of its file the program was loaded.
std::uintptr_t loadOffset() {
  std::uintptr_t offset = 0;
  const auto first = [](dl_phdr_info* program, std::size_t, void* to) {
    *static_cast<std::uintptr_t*>(to) = program->dlpi_addr;
    return 1;
  };
  ::dl_iterate_phdr(first, &offset);
  return offset;
}

std::byte* loaded(std::uint64_t address) {
  static const std::uintptr_t offset = loadOffset();
  return reinterpret_cast<std::byte*>(address + offset);
}

std::vector<std::byte> ownFile() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(all));
  if (all.size() < sizeof(Elf64_Ehdr)) throw slipstream::Error("the program's own file cannot be read");
  return {bytes.begin(), bytes.end()};
}

template <class T>
std::span<const T> table(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t count) {
  return {reinterpret_cast<const T*>(file.subspan(offset, count * sizeof(T)).data()), count};
}

std::span<const Elf64_Shdr> sectionsOf(std::span<const std::byte> file) {
  const auto& header = table<Elf64_Ehdr>(file, 0, 1)[0];
  return table<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
}

const char* textAt(std::span<const std::byte> file, const Elf64_Shdr& texts, std::uint64_t offset) {
  return reinterpret_cast<const char*>(file.data() + texts.sh_offset + offset);
}

bool isWritable(std::span<const Elf64_Shdr> sections, const Elf64_Sym& symbol) {
  return symbol.st_shndx < sections.size() && (sections[symbol.st_shndx].sh_flags & SHF_WRITE) != 0;
}

bool beginsWith(const std::string& text, const char* beginning) {
  return text.starts_with(beginning);
}

}  // namespace

Symbols::Symbols() {
  const auto file = ownFile();
  readSections(file);
  readNames(file);
  if (functions_.empty()) throw slipstream::Error("the program has no table of symbols: it must not be stripped");
}

void Symbols::readSections(std::span<const std::byte> file) {
  const auto sections = sectionsOf(file);
  const auto& names = sections[table<Elf64_Ehdr>(file, 0, 1)[0].e_shstrndx];
  for (const Elf64_Shdr& section : sections) {
    if (!beginsWith(textAt(file, names, section.sh_name), "emulated_shared_")) continue;
    ofFunctions_.emplace_back(loaded(section.sh_addr), section.sh_size);
  }
}

/// The mangled name of a function's static variable begins with _ZZ.
void Symbols::readNames(std::span<const std::byte> file) {
  const auto sections = sectionsOf(file);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB) continue;
    for (const auto& symbol : table<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const std::string name = textAt(file, sections[section.sh_link], symbol.st_name);
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      if (type == STT_FUNC && symbol.st_value != 0) functions_.emplace(loaded(symbol.st_value), name);
      if (type == STT_OBJECT && beginsWith(name, "_ZZ") && isWritable(sections, symbol)) {
        staticArrays_.emplace(name, std::span(loaded(symbol.st_value), symbol.st_size));
      }
    }
  }
}

std::string Symbols::nameOf(const void* kernel) const {
  const auto found = functions_.find(kernel);
  if (found == functions_.end()) return "an unknown kernel";
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(found->second.c_str(), nullptr, nullptr, &status), std::free);
  return readable ? std::string(readable.get()) : found->second;
}

/// The variables of _Z<function> are _ZZ<function>E<variable>. Where the compiler left no copies of them, the kernel
/// has none.
SharedArrays Symbols::ofKernel(const void* kernel) const {
  SharedArrays arrays;
  const auto function = functions_.find(kernel);
  if (function == functions_.end()) return arrays;
  const std::string beginning = "_ZZ" + function->second.substr(2) + "E";
  for (auto at = staticArrays_.lower_bound(beginning);
       at != staticArrays_.end() && beginsWith(at->first, beginning.c_str()); ++at) {
    arrays.push_back(at->second);
  }
  return arrays;
}

}  // namespace emulated_gpu
