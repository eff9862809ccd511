#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// Constants of all delegates of a program, stored by name as named data. Equal bytes are stored once,
/// however many delegates and methods read them.
class WeightStore {
  public:
    /// Stores a copy of the bytes and returns their name, which is derived from `hint` for new bytes.
    std::string add(core::Bytes bytes, std::string_view hint);

    /// Adds data that the program already has, under its existing name. Borrows the bytes.
    void keep(std::string_view name, core::Bytes bytes);

    [[nodiscard]] const std::map<std::string, core::Bytes>& all() const { return blobs; }

  private:
    std::map<std::string, core::Bytes> blobs;
    std::deque<std::vector<std::byte>> copies;
    std::multimap<std::size_t, std::string> byHash;
};

}  // namespace et::backends::lowering
