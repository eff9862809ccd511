#pragma once

#include <QList>
#include <QString>

#include <filesystem>

class QAction;

// Capabilities that only some panels have, in addition to Panel.
namespace et::studio {

/// Compares a second program with the open one.
class ProgramComparer {
  public:
    ProgramComparer() = default;
    virtual ~ProgramComparer() = default;
    ProgramComparer(const ProgramComparer&) = delete;
    ProgramComparer& operator=(const ProgramComparer&) = delete;

    /// False if the program cannot be compared, such as when no program is open.
    virtual bool takeProgram(const std::filesystem::path& file) = 0;
};

/// Shows a store of measurements.
class StoreViewer {
  public:
    StoreViewer() = default;
    virtual ~StoreViewer() = default;
    StoreViewer(const StoreViewer&) = delete;
    StoreViewer& operator=(const StoreViewer&) = delete;

    /// False if the file is no store.
    virtual bool takeStore(const std::filesystem::path& file) = 0;
};

/// Has a menu in the menu bar. The keys of its actions work in the whole window while the panel is visible.
class MenuOwner {
  public:
    MenuOwner() = default;
    virtual ~MenuOwner() = default;
    MenuOwner(const MenuOwner&) = delete;
    MenuOwner& operator=(const MenuOwner&) = delete;

    [[nodiscard]] virtual QString menuTitle() const = 0;
    /// Null: a separator.
    [[nodiscard]] virtual QList<QAction*> menuActions() const = 0;
};

}  // namespace et::studio
