#pragma once

#include <QObject>

#include <cstddef>
#include <optional>

namespace et::visualizers {

class GapPlot;
class GapTable;
class Results;
class Selection;

/// Highlights the row of a gap that is under the pointer, in plot and table, or in another view.
class GapHover : public QObject {
    Q_OBJECT

  public:
    /// All parameters except `parent` must outlive this object.
    GapHover(GapPlot& shownPlot, GapTable& shownTable, Selection& shared, const Results& computed,
             QObject* parent);

  private:
    void point(std::optional<std::size_t> row);
    void glow(std::optional<std::size_t> row);
    void showHovered();

    GapPlot& plot;
    GapTable& table;
    Selection& selection;
    const Results& results;
    bool pointing = false;  ///< the current hover change comes from this object
};

}  // namespace et::visualizers
