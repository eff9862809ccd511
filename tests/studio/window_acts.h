#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace et::studio {
class MainWindow;
}

namespace et::test {

/// One user action in a window.
struct WindowAct {
    std::string name;
    /// Performs the action without waiting for its effect. Returns false if the window does not offer it.
    std::function<bool()> happens;
};

/// User actions in a window with a trace, its program and its record open: selecting events, filtering,
/// grouping, summing, measuring a range, visiting all panels and perspectives, SQL queries, saving to
/// `folder`, reloading. Each starts in the state that the previous one left. `window` must outlive them.
[[nodiscard]] std::vector<WindowAct> windowActs(studio::MainWindow& window, std::filesystem::path folder);

}  // namespace et::test
