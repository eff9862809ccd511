#include "app/studio/view_links.h"

#include "app/studio/panel_area.h"
#include "app/studio/shell_text.h"
#include "visualizers/results.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/text.h"

#include <QFile>

#include <string>
#include <utility>

namespace et::studio {

std::vector<std::filesystem::path> ViewLinks::take(const std::vector<std::filesystem::path>& paths) {
    link.reset();
    errors.clear();
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
            errors.append(
                visualizers::toQString(std::move(parsed).error().in(split.file.string()).toString()));
        }
    }
    return files;
}

void ViewLinks::follow() {
    const auto wanted = std::exchange(link, std::nullopt);
    if (!wanted) {
        return;
    }
    if (const Perspective* const perspective = findPerspective(wanted->perspective)) {
        area.setPerspective(*perspective);
    }
    selection.setChoice(wanted->choice);
    if (wanted->gapSet) {
        results.setGapSet(wanted->gapSet);
    }
    if (!wanted->panel.empty()) {
        area.enter(wanted->panel);
        area.current().restoreView(wanted->view);
    }
}

QString ViewLinks::command(const std::vector<std::filesystem::path>& files) const {
    const ViewLink here{.perspective = area.perspective().id,
                        .panel = std::string(area.currentId()),
                        .choice = selection.choice(),
                        .gapSet = results.gapSet(),
                        .view = area.current().viewState()};
    QStringList words{QStringLiteral("et-studio")};
    for (const std::filesystem::path& path : files) {
        words.append(QFile::decodeName(std::filesystem::absolute(path).c_str()));
    }
    words.back() += u'#' + here.fragment();
    return shellText(words);
}

}  // namespace et::studio
