#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::backends::lowering {

/// Constants of all delegates of a program, which keep them by name as named data: equal bytes once, however
/// many delegates and methods read them.
class WeightStore {
  public:
    /// The name under which the bytes are kept; made of `hint` where they are new. Copies the bytes.
    std::string add(core::Bytes bytes, std::string_view hint);

    /// What the program has already, under a name that it has. Copies the bytes.
    void keep(std::string_view name, core::Bytes bytes);

    [[nodiscard]] const std::map<std::string, std::vector<std::byte>>& all() const { return blobs; }

  private:
    std::map<std::string, std::vector<std::byte>> blobs;
    std::multimap<std::size_t, std::string> byHash;
};

}  // namespace et::backends::lowering
