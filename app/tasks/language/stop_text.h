#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Cuts a text that comes in pieces at the first of several stop texts. What may be the start of one is held
/// back until it is known.
class StopText {
  public:
    /// Empty texts are left out.
    explicit StopText(std::vector<std::string> texts);

    /// What can be shown now.
    [[nodiscard]] std::string push(std::string_view piece);
    /// What was held back.
    [[nodiscard]] std::string flush();
    [[nodiscard]] bool stopped() const { return found; }

  private:
    std::vector<std::string> stops;
    std::string held;
    bool found = false;
};

}  // namespace et::app
