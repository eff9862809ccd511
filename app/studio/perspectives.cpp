#include "app/studio/perspectives.h"

#include "inspector/generate/language_form.h"

#include <QtGlobal>

#include <algorithm>
#include <array>
#include <iterator>

namespace et::studio {

namespace {

constexpr int paneShare = 23;
constexpr int outlineShare = 20;
constexpr int drawerShare = 32;

PanePlan inspectorPane() {
    return {.panels = {"inspector"}, .share = paneShare};
}

constexpr std::array<std::string_view, 3> atTheLeft{"outline", "files", "runs"};

PanePlan sidePane() {
    return {.panels = {atTheLeft.begin(), atTheLeft.end()},
            .share = outlineShare,
            .mayBeHidden = true,
            .oneAtATime = true};
}

/// For perspectives that initially need the full width.
PanePlan foldedSide() {
    PanePlan side = sidePane();
    side.folded = true;
    return side;
}

Perspective timePerspective() {
    return {.id = "time",
            .title = "Time",
            .question = "Where does the time go?",
            .left = sidePane(),
            .centre = {{.panels = {"timeline"}, .share = 50},
                       {.panels = {"flame"}, .share = 22, .mayBeHidden = true}},
            .right = {inspectorPane()},
            .bottom = {.panels = {"events", "range", "roofline", "source", "graph", "sql", "notes"},
                       .share = 28}};
}

std::vector<Perspective> makePerspectives() {
    return {
        {.id = "overview",
         .title = "Overview",
         .question = "Open files and top findings",
         .left = foldedSide(),
         .centre = {{.panels = {"overview"}}}},
        timePerspective(),
        {.id = "memory",
         .title = "Memory",
         .question = "What uses the memory?",
         .left = foldedSide(),
         .centre = {{.panels = {"memory"}, .share = 68}},
         .right = {inspectorPane()},
         .bottom = {.panels = {"timeline", "size", "events", "source", "sql", "notes"},
                    .share = drawerShare}},
        {.id = "numbers",
         .title = "Accuracy",
         .question = "Is the output right, and where does it go wrong?",
         .left = foldedSide(),
         .centre = {{.panels = {"gap", "verify"}, .share = 66}},
         .right = {inspectorPane()},
         .bottom = {.panels = {"graph", "tensors", "source", "sql", "notes"},
                    .share = 34,
                    .awayWhenLow = true}},
        {.id = "change",
         .title = "Compare",
         .question = "What is slower or different?",
         .left = foldedSide(),
         .centre = {{.panels = {"timeline"}, .share = 58, .mayBeHidden = true},
                    {.panels = {"compare", "trend"}, .share = 42}},
         .right = {inspectorPane()},
         .bottom = {}},
        {.id = "structure",
         .title = "Structure",
         .question = "What does the model contain, and what runs where?",
         .left = foldedSide(),
         .centre = {{.panels = {"graph"}, .share = 62}},
         .right = {inspectorPane()},
         .bottom = {.panels = {"delegates", "size", "tensors", "source", "sql", "notes"}, .share = 38}},
        {.id = "run",
         .title = "Run",
         .question = "Run it here",
         .left = foldedSide(),
         .centre = {{.panels = {"run", "generate", "shapes"}, .share = 60}},
         .bottom = {.panels = {"verify", "events", "timeline", "notes"},
                    .share = 40,
                    .mayBeHidden = true,
                    .awayWhenLow = true}},
        {.id = "lab",
         .title = "Quantize",
         .question = "How do size, time and error change in int8?",
         .left = foldedSide(),
         .centre = {{.panels = {"lab"}, .share = 64}},
         .bottom = {.panels = {"graph", "source", "sql", "notes"}, .share = 36}},
        {.id = "debug",
         .title = "Debug",
         .question = "Which instruction makes a value wrong?",
         .left = foldedSide(),
         .centre = {{.panels = {"graph", "memory", "timeline"}, .share = 42},
                    {.panels = {"debug"}, .share = 58}},
         .right = {{.panels = {"source", "inspector"}, .share = 29}},
         .bottom = {}},
    };
}

}  // namespace

std::span<const std::string_view> sidePanels() {
    return atTheLeft;
}

QKeySequence sideKey(std::string_view panel) {
    const auto* const found = std::ranges::find(atTheLeft, panel);
    return found == atTheLeft.end()
               ? QKeySequence()
               : QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_1 + (found - atTheLeft.begin())));
}

std::span<const Perspective> perspectives() {
    static const std::vector<Perspective> all = makePerspectives();
    return all;
}

bool contains(const PanePlan& pane, std::string_view panel) {
    return std::ranges::contains(pane.panels, panel);
}

bool isCentral(const Perspective& plan, std::string_view panel) {
    return std::ranges::any_of(plan.centre, [panel](const PanePlan& pane) { return contains(pane, panel); });
}

const Perspective* findPerspective(std::string_view id) {
    const auto all = perspectives();
    const auto found = std::ranges::find(all, id, &Perspective::id);
    return found == all.end() ? nullptr : &*found;
}

const Perspective& perspectiveFor(const inspector::Session& session) {
    const bool generates = session.program != nullptr && inspector::isLanguageModel(*session.program);
    const char* const id = !session.others.empty()                                   ? "change"
                           : session.trace != nullptr                                ? "time"
                           : generates                                               ? "run"
                           : session.bundle != nullptr                               ? "numbers"
                           : session.record != nullptr || session.program != nullptr ? "structure"
                                                                                     : "overview";
    return *findPerspective(id);
}

}  // namespace et::studio
