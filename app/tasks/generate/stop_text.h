#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Cuts streamed text at the first of several stop texts. Holds back text that may be the start of a stop
/// text until the match is decided.
class StopText {
  public:
    /// Ignores empty texts.
    explicit StopText(std::vector<std::string> texts);

    /// Returns the text that can be shown now.
    [[nodiscard]] std::string push(std::string_view piece);
    /// Returns the text held back.
    [[nodiscard]] std::string flush();
    [[nodiscard]] bool stopped() const { return found; }

  private:
    std::vector<std::string> stops;
    std::string held;
    bool found = false;
};

}  // namespace et::tasks
