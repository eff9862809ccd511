#include "app/studio/navigator.h"

#include "app/studio/panel_area.h"
#include "app/studio/panel_capabilities.h"

#include <algorithm>
#include <utility>

namespace et::studio {

void Navigator::follow(const inspector::Session* session) {
    const Perspective* const fitting = session == nullptr ? nullptr : &perspectiveFor(*session);
    const bool isAnother = std::exchange(chosen, fitting) != fitting && fitting != nullptr;
    const auto current = area.currentId();
    const bool runs =
        current == "run" || current == "generate" || &area.perspective() == findPerspective("run");
    if (isAnother && !runs) {
        area.setPerspective(*fitting);
        if (fitting == findPerspective("run")) {
            area.enter("generate");  // of the files alone, only language models are run first
        }
    }
}

void Navigator::showOperators() {
    const auto& entries = area.entries();
    const auto shows = [](const PanelArea::Entry& entry) {
        return entry.info->showsOperators && entry.panel->hasContent();
    };
    auto found = std::ranges::find_if(
        entries, [&](const PanelArea::Entry& entry) { return entry.inFront && shows(entry); });
    found = found == entries.end() ? std::ranges::find_if(entries, shows) : found;
    if (found != entries.end()) {
        area.enter(*found->panel);
    }
}

void Navigator::showOtherProgram(const std::filesystem::path& program) {
    for (const PanelArea::Entry& entry : area.entries()) {
        auto* const comparing = dynamic_cast<ProgramComparer*>(entry.panel);
        if (comparing != nullptr && !program.empty() && comparing->takeProgram(program)) {
            area.setPerspective(*findPerspective("change"));
            area.enter(*entry.panel);
        }
    }
}

bool Navigator::showStore(const std::filesystem::path& file) {
    return std::ranges::any_of(area.entries(), [&](const PanelArea::Entry& entry) {
        auto* const viewer = dynamic_cast<StoreViewer*>(entry.panel);
        return viewer != nullptr && viewer->takeStore(file);
    });
}

}  // namespace et::studio
