#pragma once

class QWidget;

namespace et::test {

/// Processes events until background work has ended and the window looks the same several times in a row.
/// Returns false if work takes longer than a minute, or if the window changes for five seconds without work.
[[nodiscard]] bool settle(QWidget& window);

}  // namespace et::test
