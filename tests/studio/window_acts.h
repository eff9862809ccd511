#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace et::studio {
class MainWindow;
}

namespace et::test {

/// One thing that a person does with a window.
struct WindowAct {
    std::string name;
    /// Does it, and does not wait for what follows. False: the window does not offer it.
    std::function<bool()> happens;
};

/// What a person does with a window that has a trace with its program and record open: choosing events,
/// filtering, grouping, summing, measuring a range, going through all rooms and perspectives, asking in SQL,
/// saving into `folder`, reloading. Each begins where the one before has ended. `window` must outlive them.
[[nodiscard]] std::vector<WindowAct> windowActs(studio::MainWindow& window, std::filesystem::path folder);

}  // namespace et::test
