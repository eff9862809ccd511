#pragma once

#include <QObject>

class QSettings;

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Exports the picture of a graph: to the clipboard, or to a file as SVG, PNG or DOT.
class GraphExport : public QObject {
    Q_OBJECT

  public:
    /// Adds its actions to `canvas`.
    GraphExport(visualizers::GraphCanvas& shown, QSettings& settings, QObject* parent);

    /// Writes the format of the name's extension: .svg, .png or .dot. Returns an empty text or a one-line
    /// error.
    [[nodiscard]] QString save(const QString& file) const;
    void copyPicture() const;

  signals:
    void noticed(const QString& line);

  private:
    void promptAndSave();

    visualizers::GraphCanvas& canvas;
    QSettings& store;
};

}  // namespace et::studio
