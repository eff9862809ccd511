#pragma once

#include "runtime/core/mapped_file.h"

#include <memory>
#include <utility>
#include <vector>

namespace et::test {

/// Parses `bytes` with a reader, under the name "test".
template <class Reader>
[[nodiscard]] auto parseBytes(std::vector<std::byte> bytes) {
    return Reader::parse(core::MappedFile::fromMemory(std::move(bytes), "test"));
}

}  // namespace et::test
