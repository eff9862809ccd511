#include "app/studio/perspectives.h"

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
    return {.rooms = {"inspector"}, .share = paneShare};
}

constexpr std::array<std::string_view, 3> atTheLeft{"outline", "files", "runs"};

PanePlan sidePane() {
    return {.rooms = {atTheLeft.begin(), atTheLeft.end()},
            .share = outlineShare,
            .mayBeAway = true,
            .oneAtATime = true};
}

/// For perspectives that initially need the full width.
PanePlan foldedSide() {
    PanePlan side = sidePane();
    side.folded = true;
    return side;
}

std::vector<Perspective> makePerspectives() {
    return {
        {.id = "overview",
         .title = QT_TRANSLATE_NOOP("perspectives", "Overview"),
         .question = QT_TRANSLATE_NOOP("perspectives", "What is open, and what to look at first"),
         .left = foldedSide(),
         .centre = {{.rooms = {"overview"}}}},
        {.id = "time",
         .title = QT_TRANSLATE_NOOP("perspectives", "Time"),
         .question = QT_TRANSLATE_NOOP("perspectives", "Where does the time go?"),
         .left = sidePane(),
         .centre = {{.rooms = {"timeline"}, .share = 50},
                    {.rooms = {"flame"}, .share = 22, .mayBeAway = true}},
         .right = {inspectorPane()},
         .bottom = {.rooms = {"events", "limits", "source", "graph", "sql", "notes"}, .share = 28}},
        {.id = "memory",
         .title = QT_TRANSLATE_NOOP("perspectives", "Memory"),
         .question = QT_TRANSLATE_NOOP("perspectives", "What takes the memory?"),
         .left = foldedSide(),
         .centre = {{.rooms = {"memory"}, .share = 68}},
         .right = {inspectorPane()},
         .bottom = {.rooms = {"timeline", "size", "events", "source", "sql", "notes"}, .share = drawerShare}},
        {.id = "numbers",
         .title = QT_TRANSLATE_NOOP("perspectives", "Numbers"),
         .question = QT_TRANSLATE_NOOP("perspectives", "Is the output right, and where does it go wrong?"),
         .left = sidePane(),
         .centre = {{.rooms = {"gap", "tests"}, .share = 66}},
         .right = {inspectorPane()},
         .bottom = {.rooms = {"graph", "tensors", "source", "sql", "notes"},
                    .share = 34,
                    .awayWhenLow = true}},
        {.id = "change",
         .title = QT_TRANSLATE_NOOP("perspectives", "Change"),
         .question = QT_TRANSLATE_NOOP("perspectives", "What became slower or different?"),
         .left = foldedSide(),
         .centre = {{.rooms = {"timeline"}, .share = 58, .mayBeAway = true},
                    {.rooms = {"compare", "trends"}, .share = 42}},
         .right = {inspectorPane()},
         .bottom = {}},
        {.id = "structure",
         .title = QT_TRANSLATE_NOOP("perspectives", "Structure"),
         .question = QT_TRANSLATE_NOOP("perspectives", "What is in the model, and who runs it?"),
         .left = foldedSide(),
         .centre = {{.rooms = {"graph"}, .share = 56}},
         .right = {inspectorPane()},
         .bottom = {.rooms = {"delegates", "size", "tensors", "source", "sql", "notes"}, .share = 44}},
        {.id = "run",
         .title = QT_TRANSLATE_NOOP("perspectives", "Run"),
         .question = QT_TRANSLATE_NOOP("perspectives", "Run it here"),
         .left = foldedSide(),
         .centre = {{.rooms = {"run", "generate", "shapes"}, .share = 60}},
         .bottom = {.rooms = {"tests", "events", "timeline", "notes"}, .share = 40}},
        {.id = "lab",
         .title = QT_TRANSLATE_NOOP("perspectives", "Lab"),
         .question = QT_TRANSLATE_NOOP("perspectives", "What would it cost and gain in int8?"),
         .left = foldedSide(),
         .centre = {{.rooms = {"lab"}, .share = 64}},
         .bottom = {.rooms = {"graph", "source", "sql", "notes"}, .share = 36}},
    };
}

}  // namespace

std::span<const std::string_view> sideRooms() {
    return atTheLeft;
}

QKeySequence sideKey(std::string_view room) {
    const auto* const found = std::ranges::find(atTheLeft, room);
    return found == atTheLeft.end()
               ? QKeySequence()
               : QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key(Qt::Key_1 + (found - atTheLeft.begin())));
}

std::span<const Perspective> perspectives() {
    static const std::vector<Perspective> all = makePerspectives();
    return all;
}

const Perspective* findPerspective(std::string_view id) {
    const auto all = perspectives();
    const auto found = std::ranges::find(all, id, &Perspective::id);
    return found == all.end() ? nullptr : &*found;
}

const Perspective& perspectiveFor(const inspector::Session& session) {
    const char* const id = !session.others.empty()                                   ? "change"
                           : session.trace != nullptr                                ? "time"
                           : session.bundle != nullptr                               ? "numbers"
                           : session.record != nullptr || session.program != nullptr ? "structure"
                                                                                     : "overview";
    return *findPerspective(id);
}

}  // namespace et::studio
