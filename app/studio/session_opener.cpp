#include "app/studio/session_opener.h"

#include "app/studio/file_dialog.h"
#include "app/studio/navigator.h"
#include "app/studio/notice_bar.h"
#include "app/studio/session_saver.h"
#include "app/studio/time_unit_menu.h"
#include "app/studio/unsaved_notes.h"
#include "app/studio/view_links.h"
#include "inspector/session/placement.h"
#include "visualizers/open_session.h"

#include <QWidget>

#include <memory>
#include <utility>

namespace et::studio {

SessionOpener::SessionOpener(const SessionOpenerContext& context, QWidget* window)
    : session(context.session),
      store(context.settings),
      timeUnits(context.timeUnits),
      notices(context.notices),
      saver(context.saver),
      unsavedNotes(context.notes),
      navigator(context.navigator),
      links(context.links),
      owner(window) {
    connect(&watch, &FileWatch::changed, this, &SessionOpener::showChangedFiles);
    connect(&sessionLoader, &SessionLoader::slow, this, [this] { emit busyChanged(true); });
    connect(&sessionLoader, &SessionLoader::cancelled, this, [this] {
        emit busyChanged(false);
        emit openingChanged(false);
    });
    connect(&sessionLoader, &SessionLoader::finished, this, &SessionOpener::take);
    connect(&saver, &SessionSaver::finished, this, [this](const QString&, const std::filesystem::path& path) {
        if (path == saver.archive()) {
            watch.watch({path});  // now the open file
        }
    });
}

void SessionOpener::open(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::filesystem::path> files = links.take(paths);
    std::erase_if(files, [this](const std::filesystem::path& path) { return navigator.showStore(path); });
    if (!files.empty()) {
        emit openingChanged(!session.session());
        sessionLoader.open(files, options(), session.session());
    }
}

void SessionOpener::openAlone(const std::vector<std::filesystem::path>& paths) {
    sessionLoader.open(paths, options(), nullptr);
}

void SessionOpener::addTraces(const std::vector<std::filesystem::path>& paths) {
    if (!paths.empty()) {
        sessionLoader.open(paths, options(), session.session(), OpenEffect::Beside);
    }
}

void SessionOpener::promptForFiles() {
    chooseFilesToOpen(owner, store, optionsForOpening(QStringLiteral("Open Files")),
                      [this](const std::vector<std::filesystem::path>& paths) { open(paths); });
}

void SessionOpener::promptForTraces() {
    chooseFilesToOpen(owner, store, optionsForOpening(QStringLiteral("Open Traces Side by Side")),
                      [this](const std::vector<std::filesystem::path>& paths) { addTraces(paths); });
}

void SessionOpener::reload() {
    if (session.session()) {
        sessionLoader.reopen(session.session()->files, options());
    }
}

void SessionOpener::makeMain(std::size_t other) {
    sessionLoader.reopen(withMainTrace(session.session()->files, other), options());
}

void SessionOpener::closeOthers() {
    auto alone = std::make_shared<inspector::Session>(*session.session());
    alone->others.clear();
    alone->files.others.clear();
    session.open(std::move(alone));
}

void SessionOpener::showChangedFiles(const QStringList& names) {
    notices.setNotices(NoticeBar::Kind::Note,
                       names.isEmpty()
                           ? names
                           : QStringList{QStringLiteral("%1 changed on disk; press Ctrl+R to reload")
                                             .arg(names.join(QStringLiteral(", ")))});
}

void SessionOpener::rejoin() {
    if (session.blocks()) {
        sessionLoader.rejoin(session.session(), options());
    }
}

void SessionOpener::close() {
    unsavedNotes.settle([this] {
        sessionLoader.cancel();
        watch.watch({});
        notices.setNotices(NoticeBar::Kind::Error, {});
        notices.setNotices(NoticeBar::Kind::Note, {});
        session.open(nullptr);
        saver.opened({});
        emit archiveChanged();
    });
}

inspector::JoinOptions SessionOpener::options() const {
    inspector::JoinOptions join;
    join.clock.unit = timeUnits.source();
    join.target = timeUnits.target();
    join.clock.delegates = timeUnits.delegates();
    return join;
}

void SessionOpener::take(const LoadOutcome& outcome) {
    emit busyChanged(false);
    emit openingChanged(false);
    notices.setNotices(NoticeBar::Kind::Error, noticeLines(outcome.problems) + links.problems());
    if (!outcome.session) {
        return;
    }
    const bool goesOn = outcome.archive.empty() && shareFiles(session.session().get(), *outcome.session);
    if (goesOn) {
        show(outcome);
    } else {
        unsavedNotes.settle([this, outcome] {
            show(outcome);
            saver.opened(outcome.archive, outcome.inUse);
            emit archiveChanged();
        });
    }
}

void SessionOpener::show(const LoadOutcome& outcome) {
    session.open(outcome.session);
    navigator.showOtherProgram(outcome.otherProgram);
    links.follow();
    const std::filesystem::path archive = outcome.archive.empty() ? saver.archive() : outcome.archive;
    const auto paths = archive.empty() ? pathsOf(outcome.session->files) : std::vector{archive};
    emit filesShown(paths);
    rememberOpenFolder(store, paths);
    notices.setNotices(NoticeBar::Kind::Note, {});
    watch.watch(paths);
}

}  // namespace et::studio
