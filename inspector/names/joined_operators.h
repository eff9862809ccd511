#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Builds the display name of several operators computed together: "conv2d + hardtanh".
class JoinedOperators {
  public:
    /// Arguments as for plainOperator().
    void add(std::string_view name, std::size_t rank = 0);

    /// The distinct names in insertion order; quantization operators appear only if there are no others.
    /// Empty if nothing was added, or too many operators for one name.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::string> plain;
    std::string storage;
};

}  // namespace et::inspector
