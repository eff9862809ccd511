#pragma once

#include "app/studio/inspect_command.h"
#include "inspector/session/session.h"

#include <QMenu>
#include <QStringList>

class QSettings;

namespace et::studio {

/// "Export": what is open as files for others, each written by et-inspect, and the picture and the table of
/// the room in front.
class ExportMenu : public QMenu {
    Q_OBJECT

  public:
    /// `settings` says where et-inspect is, and keeps the folder.
    ExportMenu(QSettings& settings, QWidget* parent);

    /// What is open now; items without their files are disabled.
    void setFiles(const inspector::SessionFiles& files);
    /// Writes one of the exports ("perfetto") to a file; ended() says how it went.
    void write(const QString& id, const QString& file);
    [[nodiscard]] bool busy() const { return command.running(); }
    /// "et-inspect report model.pte -o report.html", as a shell takes it.
    [[nodiscard]] static QString commandLine(const QStringList& arguments);

  signals:
    void pictureWanted(const QString& file);
    void tableWanted(const QString& file);
    /// One of the two is empty: what went wrong, or what was written and the command that does the same.
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
