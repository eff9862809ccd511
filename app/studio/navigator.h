#pragma once

#include "inspector/session/session.h"

#include <filesystem>

namespace et::studio {

class PanelArea;
struct Perspective;

/// Shows the panels for the open files and the selection.
class Navigator {
  public:
    /// `panels` must outlive this object.
    explicit Navigator(PanelArea& panels) : area(panels) {}

    /// Switches to another perspective if newly opened files need another one, except for files written by a
    /// run. Null: nothing is open.
    void follow(const inspector::Session* session);
    /// Shows operators in a visible panel if possible, otherwise in any panel that has them.
    void showOperators();
    /// Shows a second program in the panel that compares programs; an empty path is ignored.
    void showOtherProgram(const std::filesystem::path& program);
    /// Opens a store of measurements in its panel; false if the file is not a store.
    bool showStore(const std::filesystem::path& file);

  private:
    PanelArea& area;
    const Perspective* chosen = nullptr;  ///< for the open files; null: nothing is open
};

}  // namespace et::studio
