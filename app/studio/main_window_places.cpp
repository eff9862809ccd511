// Navigation: the perspective for opened files, showing operators, tours and links.
#include "app/studio/main_window.h"
#include "app/studio/notice_bar.h"
#include "app/studio/panel_area.h"
#include "app/studio/session_saver.h"
#include "app/studio/shell_text.h"
#include "app/studio/tours.h"
#include "inspector/session/placement.h"
#include "visualizers/toolkit/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>

#include <algorithm>
#include <utility>

namespace et::studio {

/// Starts a tour on the session, or on a sample if nothing is open.
void MainWindow::startTour(std::size_t tour) {
    if (shown.session()) {
        tourBar->start(tour);
    } else {
        waitingTour = tour;
        makeSample();
    }
}

/// Shows it in the panel that compares programs, in the perspective that contains it.
void MainWindow::showOtherProgram(const std::filesystem::path& program) {
    for (const PanelArea::Entry& entry : panelArea->entries()) {
        if (!program.empty() && entry.panel->takeProgram(program)) {
            panelArea->setPerspective(*findPerspective("change"));
            panelArea->enter(*entry.panel);
        }
    }
}

/// Switches to another perspective if the newly opened files need another one, except for files written by a
/// run.
void MainWindow::choosePerspective() {
    const Perspective* const answered = shown.session() ? &perspectiveFor(*shown.session()) : nullptr;
    const bool isAnother = std::exchange(question, answered) != answered && answered != nullptr;
    const auto current = panelArea->currentId();
    const bool runs =
        current == "run" || current == "generate" || &panelArea->perspective() == findPerspective("run");
    if (isAnother && !runs) {
        panelArea->setPerspective(*answered);
    }
}

/// Shows operators in a visible panel if possible, otherwise in any panel that has them.
void MainWindow::showOperators() {
    const auto entries = panelArea->entries();
    const auto shows = [](const PanelArea::Entry& entry) {
        return entry.info->showsOperators && entry.panel->hasContent();
    };
    auto found = std::ranges::find_if(
        entries, [&](const PanelArea::Entry& entry) { return entry.inFront && shows(entry); });
    found = found == entries.end() ? std::ranges::find_if(entries, shows) : found;
    if (found != entries.end()) {
        panelArea->enter(*found->panel);
    }
}

/// Removes view links from the paths, and stores them until the files are open.
std::vector<std::filesystem::path> MainWindow::takeLinks(const std::vector<std::filesystem::path>& paths) {
    link.reset();
    linkProblems.clear();
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path& path : paths) {
        const LinkedFile split = splitLink(path);
        files.push_back(split.file);
        if (!split.fragment) {
            continue;
        }
        if (auto parsed = ViewLink::parse(*split.fragment)) {
            link = *std::move(parsed);
        } else {
            linkProblems.append(
                visualizers::toQString(std::move(parsed).error().in(split.file.string()).toString()));
        }
    }
    return files;
}

/// Passes stores of measurements to the panel that shows them.
std::vector<std::filesystem::path> MainWindow::withoutStores(std::vector<std::filesystem::path> paths) const {
    std::erase_if(paths, [this](const std::filesystem::path& path) {
        return std::ranges::any_of(panelArea->entries(), [&](const PanelArea::Entry& entry) {
            return entry.panel->takeStore(path);
        });
    });
    return paths;
}

void MainWindow::followLink() {
    const auto wanted = std::exchange(link, std::nullopt);
    if (!wanted) {
        return;
    }
    if (const Perspective* const perspective = findPerspective(wanted->perspective)) {
        panelArea->setPerspective(*perspective);
    }
    chosen.setChoice(wanted->choice);
    if (wanted->gapSet) {
        computed.setGapSet(wanted->gapSet);
    }
    if (!wanted->panel.empty()) {
        panelArea->enter(wanted->panel);
        panelArea->current().restoreView(wanted->view);
    }
}

/// Copies the link as a command, with the session file if there is one: unsaved sessions have none.
void MainWindow::copyLink() {
    if (!shown.session()) {
        return;
    }
    const ViewLink here{.perspective = panelArea->perspective().id,
                        .panel = std::string(panelArea->currentId()),
                        .choice = chosen.choice(),
                        .gapSet = computed.gapSet(),
                        .view = panelArea->current().viewState()};
    const std::filesystem::path archive = sessionSaver->savedFile();
    QStringList words{QStringLiteral("et-studio")};
    for (const std::filesystem::path& path :
         archive.empty() ? pathsOf(shown.session()->files) : std::vector{archive}) {
        words.append(QFile::decodeName(std::filesystem::absolute(path).c_str()));
    }
    words.back() += u'#' + here.fragment();
    const QString command = shellText(words);
    QApplication::clipboard()->setText(command);
    noticeBar->setNotices(NoticeBar::Kind::Note, {QStringLiteral("Copied: %1").arg(command)});
}

}  // namespace et::studio
