#include "app/studio/export_menu.h"

#include "app/studio/file_dialog.h"
#include "app/studio/icons.h"
#include "app/studio/panel_export.h"
#include "app/studio/run_process.h"
#include "app/studio/session_saver.h"
#include "app/studio/shell_text.h"
#include "inspector/session/placement.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

const QString exportFolderKey = QStringLiteral("export/folder");
const QString pictureId = QStringLiteral("picture");
const QString tableId = QStringLiteral("table");

/// The files that an export needs.
enum class Takes : std::uint8_t { Trace, Program, All, Panel };

struct ExportInfo {
    const char* id;
    const char* text;    ///< untranslated
    const char* filter;  ///< untranslated; null: for tables
    const char* suffix;
    Takes takes;
    std::array<const char*, 3> arguments;  ///< arguments before the files, terminated by null
};
constexpr std::array exportTable{
    ExportInfo{"perfetto",
               "Trace for &Perfetto…",
               "Chrome trace (*.json)",
               "json",
               Takes::Trace,
               {"export", "--to=perfetto", nullptr}},
    ExportInfo{
        "report", "&Report as HTML…", "Web page (*.html)", "html", Takes::All, {"report", nullptr, nullptr}},
    ExportInfo{"folded",
               "&Flame Graph as Folded Stacks…",
               "Folded stacks (*.folded)",
               "folded",
               Takes::Trace,
               {"export", "--to=folded", nullptr}},
    ExportInfo{"csv",
               "&Events as CSV…",
               "Comma-separated values (*.csv)",
               "csv",
               Takes::Trace,
               {"--format=csv", nullptr, nullptr}},
    ExportInfo{"graph",
               "&Graph as SVG…",
               "Vector graphics (*.svg)",
               "svg",
               Takes::Program,
               {"graph", "--format=svg", nullptr}},
    ExportInfo{"memory",
               "&Memory Plan as SVG…",
               "Vector graphics (*.svg)",
               "svg",
               Takes::Program,
               {"memory", "--format=svg", nullptr}},
    ExportInfo{"explorer",
               "Graph for Model &Explorer…",
               "Model Explorer (*.json)",
               "json",
               Takes::Program,
               {"graph", "--format=model-explorer", nullptr}},
    ExportInfo{"allocations",
               "&Live Tensors as Chrome Trace…",
               "Chrome trace (*.json)",
               "json",
               Takes::Program,
               {"memory", "--format=chrome", nullptr}},
    ExportInfo{"picture",
               "&Picture of the Panel…",
               "Picture (*.png);;Vector graphics (*.svg)",
               "png",
               Takes::Panel,
               {nullptr, nullptr, nullptr}},
    ExportInfo{"table", "&Table of the Panel…", nullptr, "csv", Takes::Panel, {nullptr, nullptr, nullptr}},
};

const ExportInfo* infoOf(const QString& id) {
    const auto* const found = std::ranges::find_if(
        exportTable, [&](const ExportInfo& each) { return id == QLatin1String(each.id); });
    return found == exportTable.end() ? nullptr : found;
}

/// Returns the open files without additional traces: each export is of one trace.
inspector::SessionFiles taken(inspector::SessionFiles files, Takes takes) {
    files.others.clear();
    if (takes == Takes::Trace) {
        return {.trace = files.trace, .record = files.record, .debugBuffer = files.debugBuffer};
    }
    if (takes == Takes::Program) {
        return {.program = files.program.empty() ? files.bundle : files.program};
    }
    return files;
}

bool isEnough(const inspector::SessionFiles& files, Takes takes) {
    switch (takes) {
        case Takes::Trace:
            return !files.trace.empty();
        case Takes::Program:
            return !files.program.empty() || !files.bundle.empty();
        case Takes::All:
        case Takes::Panel:
            return !pathsOf(files).empty();
    }
    return false;
}

}  // namespace

ExportMenu::ExportMenu(QSettings& settings, SessionSaver& sessions, QWidget* parent)
    : QMenu(QStringLiteral("&Export"), parent), store(settings), saver(sessions) {
    setToolTipsVisible(true);
    setIcon(studio::icon("export"));
    for (const ExportInfo& each : exportTable) {
        const QString id = QLatin1String(each.id);
        QAction* const action = addAction(QString::fromUtf8(each.text), this, [this, id] { ask(id); });
        action->setData(id);
        if (id == QStringLiteral("report")) {
            action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R));
        }
    }
    connect(&command, &InspectCommand::notStarted, this, &ExportMenu::showResult);
    connect(&command, &InspectCommand::ended, this, &ExportMenu::showResult);
    setFiles({});
}

ExportMenu::~ExportMenu() = default;

void ExportMenu::showResult(const QString& problem) {
    copy.reset();
    if (!problem.isEmpty()) {
        emit ended(problem, {}, {});
    } else if (running.isEmpty()) {
        emit ended({}, QStringLiteral("Saved to %1.").arg(output), output);
    } else {
        emit ended({},
                   QStringLiteral("Saved to %1. Equivalent command: %2").arg(output, commandLine(running)),
                   output);
    }
}

void ExportMenu::setFiles(const inspector::SessionFiles& files) {
    opened = files;
    for (QAction* const action : actions()) {
        const ExportInfo& traits = *infoOf(action->data().toString());
        action->setEnabled(isEnough(opened, traits.takes));
        action->setToolTip(
            traits.takes == Takes::Panel
                ? QStringLiteral("As shown on screen")
                : commandLine(argumentsOf(QLatin1String(traits.id),
                                          QStringLiteral("FILE.%1").arg(QLatin1String(traits.suffix)),
                                          inputsOf(QLatin1String(traits.id)))));
    }
    menuAction()->setEnabled(std::ranges::any_of(actions(), &QAction::isEnabled));
}

std::vector<std::filesystem::path> ExportMenu::inputsOf(const QString& id) const {
    const Takes takes = infoOf(id)->takes;
    if (takes == Takes::All && saver.isSaved()) {
        return {saver.savedFile()};
    }
    return pathsOf(taken(opened, takes));
}

QStringList ExportMenu::argumentsOf(const QString& id, const QString& file,
                                    const std::vector<std::filesystem::path>& inputs) {
    const ExportInfo& traits = *infoOf(id);
    QStringList arguments;
    for (const char* const each : traits.arguments) {
        if (each != nullptr) {
            arguments.append(QLatin1String(each));
        }
    }
    arguments += {QStringLiteral("--output"), file, QStringLiteral("--")};
    for (const std::filesystem::path& path : inputs) {
        arguments.append(QFile::decodeName(path.c_str()));
    }
    return arguments;
}

QString ExportMenu::commandLine(const QStringList& arguments) {
    return shellText(QStringList{QStringLiteral("et-inspect")} + arguments);
}

void ExportMenu::ask(const QString& id) {
    const ExportInfo& traits = *infoOf(id);
    chooseFileToSave(
        parentWidget(), store,
        {.title = QStringLiteral("Export"),
         .filters = traits.filter == nullptr ? tableFilter() : QString::fromUtf8(traits.filter),
         .folderKey = exportFolderKey,
         .suffix = QLatin1String(traits.suffix),
         .objectName = QStringLiteral("export"),
         .receiver = this},
        [this, id](const std::filesystem::path& file) { write(id, QFile::decodeName(file.c_str())); });
}

void ExportMenu::write(const QString& id, const QString& file) {
    if (id == pictureId) {
        emit pictureWanted(file);
        return;
    }
    if (id == tableId) {
        emit tableWanted(file);
        return;
    }
    if (busy()) {
        emit ended(QStringLiteral("another export is still being written"), {}, {});
        return;
    }
    output = file;
    if (infoOf(id)->takes == Takes::All && saver.hasAdditions()) {
        writeFromCopy(id, file);
        return;
    }
    running = argumentsOf(id, file, inputsOf(id));
    command.start(RunProcess::findProgram(store), running);
}

/// Notes and results that are not saved exist only in the window: the command reads them from a copy.
void ExportMenu::writeFromCopy(const QString& id, const QString& file) {
    copy = std::make_unique<QTemporaryDir>();
    const std::filesystem::path name =
        saver.savedFile().empty() ? std::filesystem::path("session.db") : saver.savedFile().filename();
    const auto session = std::filesystem::path(QFile::encodeName(copy->path()).toStdString()) / name;
    running = saver.isSaved() ? argumentsOf(id, file, inputsOf(id)) : QStringList();
    saver.writeCopy(session, [this, id, file, session](const QString& problem) {
        if (problem.isEmpty()) {
            command.start(RunProcess::findProgram(store), argumentsOf(id, file, {session}));
        } else {
            showResult(problem);
        }
    });
}

}  // namespace et::studio
