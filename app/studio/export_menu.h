#pragma once

#include "app/studio/inspect_command.h"
#include "inspector/session/session.h"

#include <QMenu>
#include <QStringList>

class QSettings;

namespace et::studio {

/// Menu "Export": the open files in other formats, each written by et-inspect, and the picture and the table
/// of the active panel.
class ExportMenu : public QMenu {
    Q_OBJECT

  public:
    /// `settings` contains the path of et-inspect, and stores the folder.
    ExportMenu(QSettings& settings, QWidget* parent);

    /// Sets the open files; items without their files are disabled.
    void setFiles(const inspector::SessionFiles& files);
    /// Writes one of the exports ("perfetto") to a file; ended() reports the result.
    void write(const QString& id, const QString& file);
    [[nodiscard]] bool busy() const { return command.running(); }
    /// "et-inspect report model.pte -o report.html", quoted for a shell.
    [[nodiscard]] static QString commandLine(const QStringList& arguments);

  signals:
    void pictureWanted(const QString& file);
    void tableWanted(const QString& file);
    /// Exactly one is empty: the error, or a note on what was written and the equivalent command.
    void ended(const QString& problem, const QString& note);

  private:
    void ask(const QString& id);
    [[nodiscard]] QStringList argumentsOf(const QString& id, const QString& file) const;

    QSettings& store;
    inspector::SessionFiles opened;
    InspectCommand command;
    QStringList running;  ///< arguments
};

}  // namespace et::studio
