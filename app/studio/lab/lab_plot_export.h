#pragma once

#include <QObject>

class QSettings;
class QWidget;

namespace et::visualizers {
class ParetoWidget;
}

namespace et::studio {

/// Exports the plot of the lab: to the clipboard, or to a file as SVG or PNG.
class LabPlotExport : public QObject {
    Q_OBJECT

  public:
    LabPlotExport(const visualizers::ParetoWidget& exported, QSettings& settings, QWidget* parent);

    /// Shows a dialog for the file.
    void promptAndSave();
    void copy() const;

  signals:
    void noticed(const QString& line);

  private:
    /// SVG or PNG, by the file name. Returns an error, or an empty text.
    [[nodiscard]] QString save(const QString& file) const;

    const visualizers::ParetoWidget& plot;
    QSettings& store;
    QWidget* window;
};

}  // namespace et::studio
