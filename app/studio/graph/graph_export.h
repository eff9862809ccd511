#pragma once

#include <QObject>

class QSettings;

namespace et::visualizers {
class GraphCanvas;
}

namespace et::studio {

/// Takes the picture of a graph out of the window: to the clipboard, or to a file as SVG, PNG or DOT.
class GraphExport : public QObject {
    Q_OBJECT

  public:
    /// Adds its actions to `canvas`.
    GraphExport(visualizers::GraphCanvas& shown, QSettings& settings, QObject* parent);

    /// Writes what the ending of the name means: .svg, .png or .dot. Empty: done; else why not, in a line.
    [[nodiscard]] QString save(const QString& file) const;
    void copyPicture() const;

  signals:
    void noticed(const QString& line);

  private:
    void askAndSave();

    visualizers::GraphCanvas& canvas;
    QSettings& store;
};

}  // namespace et::studio
