#pragma once

#include "app/studio/view_link.h"

#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace et::visualizers {
class Results;
class Selection;
}  // namespace et::visualizers

namespace et::studio {

class PanelArea;

/// Links to views: keeps the link of files that are being opened until it can be applied, and creates the
/// link to the current view.
class ViewLinks {
  public:
    /// All parameters must outlive this object.
    ViewLinks(PanelArea& panels, visualizers::Selection& shared, visualizers::Results& computed)
        : area(panels), selection(shared), results(computed) {}

    /// Removes view links from the paths, and keeps the last one until the files are open.
    [[nodiscard]] std::vector<std::filesystem::path> take(const std::vector<std::filesystem::path>& paths);
    /// Errors of the last take().
    [[nodiscard]] const QStringList& problems() const { return errors; }
    /// Shows the kept view, once.
    void follow();
    /// Returns the command that opens these files with the current view.
    [[nodiscard]] QString command(const std::vector<std::filesystem::path>& files) const;

  private:
    PanelArea& area;
    visualizers::Selection& selection;
    visualizers::Results& results;
    std::optional<ViewLink> link;
    QStringList errors;
};

}  // namespace et::studio
