#include "app/studio/session_saver.h"

#include "app/studio/room_area.h"
#include "app/studio/session_archive.h"
#include "backends/builtin.h"
#include "inspector/store/session_store.h"
#include "visualizers/selection.h"
#include "visualizers/text.h"

#include <QAction>
#include <QFile>
#include <QFileDialog>
#include <QSettings>
#include <QTemporaryDir>

#include <algorithm>
#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using inspector::store::LayoutEntry;
using inspector::store::Note;
using inspector::store::SessionStore;

const QString folderKey = QStringLiteral("session/folder");

/// Settings of its own that the rooms write to and read from.
class RoomSettings {
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
    QSettings settings{folder.filePath(QStringLiteral("rooms.ini")), QSettings::IniFormat};
};

std::vector<Note> notesOf(const fs::path& archive) {
    const auto store = archive.empty() ? core::Result<SessionStore>(core::fail(core::ErrorCode::NotFound, ""))
                                       : SessionStore::open(archive);
    auto notes = store ? store->notes() : core::Result<std::vector<Note>>(std::vector<Note>());
    return notes ? *std::move(notes) : std::vector<Note>();
}

bool liesIn(const inspector::SessionFiles& files, const fs::path& folder) {
    return std::ranges::any_of(pathsOf(files),
                               [&](const fs::path& path) { return path.parent_path() == folder; });
}

}  // namespace

SessionSaver::SessionSaver(visualizers::Selection& selection, QSettings& settings, RoomArea& area,
                           QWidget* window)
    : QObject(window),
      chosen(selection),
      store(settings),
      rooms(area),
      owner(window),
      saveAction(new QAction(tr("&Save Session…"), this)),
      saving(this) {
    saveAction->setShortcut(QKeySequence::Save);
    saveAction->setToolTip(tr("Save all files that are open, and all that is known of them, as one file"));
    saveAction->setEnabled(false);
    connect(saveAction, &QAction::triggered, this, &SessionSaver::askForName);
    connect(&chosen, &visualizers::Selection::sessionChanged, this,
            [this] { saveAction->setEnabled(chosen.session() != nullptr); });
}

SessionSaver::~SessionSaver() {
    cancel();
}

void SessionSaver::cancel() {
    *cancelled = true;
    saving.forget();
}

void SessionSaver::askForName() {
    auto* const dialog = new QFileDialog(owner, tr("Save session"), store.value(folderKey).toString(),
                                         tr("Sessions (*.db);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("db"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, dialog](const QString& name) {
        store.setValue(folderKey, dialog->directory().absolutePath());
        save(QFile::encodeName(name).toStdString());
    });
    dialog->open();
}

void SessionSaver::save(const fs::path& path) {
    if (chosen.session() == nullptr) {
        return;
    }
    cancel();
    cancelled = std::make_shared<std::atomic<bool>>(false);
    RoomSettings layout;
    rooms.saveTo(layout.values());
    const auto work = [session = chosen.session(), gap = chosen.wholeGap(), entries = layout.entries(), path,
                       from = archive(), flag = cancelled] {
        return inspector::store::saveSession(path, *session,
                                             {.backends = backends::describable(),
                                              .gap = gap.get(),
                                              .notes = notesOf(from),
                                              .layout = entries,
                                              .writer = "et-studio",
                                              .cancel = flag.get()});
    };
    emit started();
    saving.start(work, [this, path](const core::Result<>& saved) {
        emit finished(saved ? QString() : visualizers::toQString(saved.error().toString()), path);
    });
}

void SessionSaver::cameFrom(const fs::path& archive) {
    if (!archive.empty()) {
        origin = archive;
        restoreRooms();
    }
}

fs::path SessionSaver::archive() const {
    const bool fromIt = !origin.empty() && chosen.session() != nullptr &&
                        liesIn(chosen.session()->files, archiveFolder(origin));
    return fromIt ? origin : fs::path();
}

void SessionSaver::restoreRooms() {
    const auto opened = SessionStore::open(origin);
    const auto entries =
        opened ? opened->layout() : core::Result<std::vector<LayoutEntry>>(std::vector<LayoutEntry>());
    if (entries && !entries->empty()) {
        RoomSettings layout;
        layout.take(*entries);
        rooms.restoreFrom(layout.values());
    }
}

}  // namespace et::studio
