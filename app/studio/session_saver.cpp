#include "app/studio/session_saver.h"

#include "app/studio/file_dialog.h"
#include "app/studio/icons.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_archive.h"
#include "backends/builtin.h"
#include "inspector/session/placement.h"
#include "inspector/store/session_store.h"
#include "visualizers/notes/note_model.h"
#include "visualizers/open_session.h"
#include "visualizers/results.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using inspector::store::LayoutEntry;
using inspector::store::SessionStore;

const QString sessionFolderKey = QStringLiteral("session/folder");

/// Temporary settings that the panels write to and read from.
class PanelSettings {
  public:
    [[nodiscard]] QSettings& values() { return settings; }

    std::vector<LayoutEntry> entries() {
        std::vector<LayoutEntry> all;
        for (const QString& key : settings.allKeys()) {
            const QByteArray value = settings.value(key).toByteArray();
            const auto bytes =
                std::as_bytes(std::span(value.constData(), static_cast<std::size_t>(value.size())));
            all.push_back({.key = key.toStdString(), .value = {bytes.begin(), bytes.end()}});
        }
        return all;
    }

    void take(const std::vector<LayoutEntry>& entries) {
        for (const LayoutEntry& entry : entries) {
            settings.setValue(QString::fromStdString(entry.key),
                              QByteArray(reinterpret_cast<const char*>(entry.value.data()),
                                         static_cast<qsizetype>(entry.value.size())));
        }
    }

  private:
    QTemporaryDir folder;
    QSettings settings{folder.filePath(QStringLiteral("panels.ini")), QSettings::IniFormat};
};

bool liesIn(const inspector::SessionFiles& files, const fs::path& folder) {
    return std::ranges::any_of(pathsOf(files),
                               [&](const fs::path& path) { return path.parent_path() == folder; });
}

QString proposedName(const inspector::SessionFiles& files) {
    for (const fs::path* const each : {&files.program, &files.bundle, &files.trace, &files.record}) {
        if (!each->empty()) {
            return QFile::decodeName(each->stem().c_str()) + QStringLiteral(".db");
        }
    }
    return {};
}

}  // namespace

SessionSaver::SessionSaver(const visualizers::OpenSession& session, visualizers::Results& computed,
                           visualizers::NoteModel& book, QSettings& settings, PanelArea& area,
                           QWidget* window)
    : QObject(window),
      current(session),
      results(computed),
      notes(book),
      store(settings),
      panels(area),
      owner(window),
      saveAction(new QAction(icon("save"), QStringLiteral("&Save Session"), this)),
      saveAsAction(new QAction(QStringLiteral("Save Session &As…"), this)),
      saving(this),
      copying(this) {
    saveAction->setShortcut(QKeySequence::Save);
    saveAction->setToolTip(QStringLiteral("Save open files, results and notes to one file"));
    saveAsAction->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    connect(saveAction, &QAction::triggered, this, [this] { saveAgain(); });
    connect(saveAsAction, &QAction::triggered, this, [this] { promptForName({}); });
    const auto showState = [this] {
        saveAction->setEnabled(current.session() != nullptr);
        saveAsAction->setEnabled(current.session() != nullptr);
    };
    connect(&current, &visualizers::OpenSession::changed, this, showState);
    showState();
}

SessionSaver::~SessionSaver() {
    cancel();
}

void SessionSaver::cancel() {
    *cancelled = true;
    saving.forget();
}

void SessionSaver::saveAgain(std::function<void()> then) {
    const fs::path known = savedTo.empty() ? archive() : savedTo;
    if (known.empty()) {
        promptForName(std::move(then));
    } else {
        save(known, std::move(then));
    }
}

void SessionSaver::promptForName(std::function<void()> then) {
    const bool isFirst = current.session() != nullptr && savedFile().empty();
    chooseFileToSave(owner, store,
                     {.title = QStringLiteral("Save Session"),
                      .filters = QStringLiteral("Sessions (*.db);;All files (*)"),
                      .folderKey = sessionFolderKey,
                      .name = isFirst ? proposedName(current.session()->files) : QString(),
                      .suffix = QStringLiteral("db"),
                      .receiver = this},
                     [this, then = std::move(then)](const fs::path& path) { save(path, then); });
}

std::function<core::Result<std::vector<SessionSaver::Note>>()> SessionSaver::savingTo(
    const fs::path& path, std::vector<Note> written, std::optional<std::vector<Note>> before) const {
    PanelSettings layout;
    panels.saveTo(layout.values());
    return [session = current.session(), gap = results.wholeGap(), verdicts = results.verdicts(),
            entries = layout.entries(), path, written = std::move(written), before = std::move(before),
            flag = cancelled] {
        return inspector::store::saveSession(
            path, *session,
            {.backends = backends::describable(),
             .gap = gap.get(),
             .verdicts = verdicts == nullptr ? std::span<const bundled_program::CaseReport>() : *verdicts,
             .notes = written,
             .lastSeen = before,
             .layout = entries,
             .writer = "et-studio",
             .cancel = flag.get()});
    };
}

void SessionSaver::writeCopy(const fs::path& path, std::function<void(const QString& problem)> done) {
    copying.start(savingTo(path, notes.worthSaving(), std::nullopt),
                  [done = std::move(done)](const core::Result<std::vector<Note>>& saved) {
                      done(saved ? QString() : visualizers::toQString(saved.error().toString()));
                  });
}

bool SessionSaver::hasAdditions() const {
    const auto& verdicts = results.verdicts();
    return !notes.worthSaving().empty() || results.wholeGap() != nullptr ||
           (verdicts != nullptr && !verdicts->empty());
}

bool SessionSaver::isSaved() const {
    return !savedFile().empty() && !notes.modified();
}

void SessionSaver::save(const fs::path& path, std::function<void()> then) {
    if (current.session() == nullptr) {
        return;
    }
    cancel();
    cancelled = std::make_shared<std::atomic<bool>>(false);
    const std::vector<Note> written = notes.worthSaving();
    const auto work =
        savingTo(path, written,
                 path == (savedTo.empty() ? archive() : savedTo) ? std::optional(lastSeen) : std::nullopt);
    emit started();
    const auto done = [this, path, written, revision = notes.revision(), session = current.session().get(),
                       then = std::move(then)](const core::Result<std::vector<Note>>& saved) {
        if (saved && current.session().get() == session) {
            savedTo = path;
            takeSaved(written, *saved, notes.revision() == revision);
        }
        emit finished(saved ? QString() : visualizers::toQString(saved.error().toString()), path);
        if (saved && then) {
            then();
        }
    };
    saving.start(work, done);
}

/// `written` was saved and became `saved` by merging others' changes. `isCurrent`: the notes were not edited
/// meanwhile.
void SessionSaver::takeSaved(const std::vector<Note>& written, const std::vector<Note>& saved,
                             bool isCurrent) {
    lastSeen = isCurrent ? saved : written;
    if (isCurrent && saved != written) {
        notes.setNotes(saved);
    }
    if (isCurrent) {
        notes.setSaved();
    }
}

void SessionSaver::opened(const fs::path& archive, std::shared_ptr<const ArchiveUse> use) {
    savedTo.clear();
    inUse = std::move(use);
    notes.setNotes({});
    lastSeen.clear();
    if (!archive.empty()) {
        origin = archive;
        restore();
    }
}

fs::path SessionSaver::archive() const {
    const bool fromIt = !origin.empty() && current.session() != nullptr &&
                        liesIn(current.session()->files, archiveFolder(origin));
    return fromIt ? origin : fs::path();
}

void SessionSaver::restore() {
    const auto opened = SessionStore::open(origin);
    if (!opened) {
        return;  // it existed a moment ago, when its files were read
    }
    if (auto written = opened->notes()) {
        lastSeen = *written;
        notes.setNotes(*std::move(written));
    }
    if (auto verdicts = opened->verdicts(); verdicts && !verdicts->empty()) {
        results.setVerdicts(std::make_shared<const visualizers::CaseReports>(*std::move(verdicts)));
    }
    if (const auto entries = opened->layout(); entries && !entries->empty()) {
        PanelSettings layout;
        layout.take(*entries);
        panels.restoreFrom(layout.values());
    }
}

}  // namespace et::studio
