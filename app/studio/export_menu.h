#pragma once

#include "app/studio/inspect_command.h"
#include "inspector/session/session.h"

#include <QMenu>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

class QSettings;
class QTemporaryDir;

namespace et::studio {

class SessionSaver;

/// Menu "Export": the open files in other formats, each written by et-inspect, and the picture and the table
/// of the active panel.
class ExportMenu : public QMenu {
    Q_OBJECT

  public:
    /// `settings` contains the path of et-inspect, and stores the folder.
    /// `sessions` must outlive the menu: reports contain its notes and results.
    ExportMenu(QSettings& settings, SessionSaver& sessions, QWidget* parent);
    ~ExportMenu() override;
    ExportMenu(const ExportMenu&) = delete;
    ExportMenu& operator=(const ExportMenu&) = delete;

    /// Sets the open files; items without their files are disabled.
    void setFiles(const inspector::SessionFiles& files);
    /// Writes one of the exports ("perfetto") to a file; ended() reports the result.
    void write(const QString& id, const QString& file);
    [[nodiscard]] bool busy() const { return command.running() || copy != nullptr; }
    /// "et-inspect report model.pte -o report.html", quoted for a shell.
    [[nodiscard]] static QString commandLine(const QStringList& arguments);

  signals:
    void pictureWanted(const QString& file);
    void tableWanted(const QString& file);
    /// An error, or a note on what was written and the equivalent command, with the file; the others are
    /// empty.
    void ended(const QString& problem, const QString& note, const QString& file);

  private:
    void ask(const QString& id);
    void writeFromCopy(const QString& id, const QString& file);
    void showResult(const QString& problem);
    /// The open files that the export needs; the session file for reports of a saved session.
    [[nodiscard]] std::vector<std::filesystem::path> inputsOf(const QString& id) const;
    [[nodiscard]] static QStringList argumentsOf(const QString& id, const QString& file,
                                                 const std::vector<std::filesystem::path>& inputs);

    QSettings& store;
    SessionSaver& saver;
    inspector::SessionFiles opened;
    InspectCommand command;
    QString output;                       ///< the file being written
    QStringList running;                  ///< arguments; empty: they name temporary files
    std::unique_ptr<QTemporaryDir> copy;  ///< copy of a session that is not saved, for the command
};

}  // namespace et::studio
