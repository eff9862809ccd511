#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// What people call something that computes several operators of a graph: "conv2d + hardtanh".
class JoinedOperators {
  public:
    /// As plainOperator() takes them.
    void add(std::string_view name, std::size_t rank = 0);

    /// Each once, in the order of add(); what only changes how numbers are stored is named where there is
    /// nothing else. Empty: nothing was added, or too much for one name.
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::string> plain;
    std::string storage;
};

}  // namespace et::inspector
