#include "tests/studio/window_acts.h"

#include "app/studio/main_window.h"
#include "app/studio/panel_area.h"
#include "app/studio/perspectives.h"
#include "app/studio/session_saver.h"
#include "etdump/trace.h"
#include "visualizers/events/event_view.h"
#include "visualizers/sql/sql_editor.h"

#include <QAction>
#include <QLineEdit>

#include <algorithm>
#include <utility>

namespace et::test {

namespace {

/// Performs actions and returns whether their target existed.
class ActHands {
  public:
    explicit ActHands(studio::MainWindow& at) : window(at) {}

    /// Selects an event of the last block, which runs the model.
    [[nodiscard]] bool chooseEvent(std::size_t which) const {
        const inspector::EventBlocks* const joined = window.opened().blocks();
        if (joined == nullptr || joined->blocks().empty() || joined->blocks().back().events.empty()) {
            return false;
        }
        const std::size_t block = joined->blocks().size() - 1;
        const visualizers::EventRef event{block, which % joined->blocks()[block].events.size()};
        window.selection().setCurrent(event);
        return window.selection().current() == event;
    }
    [[nodiscard]] bool filter(const QString& text) const {
        auto* const events = window.findChild<visualizers::EventView*>();
        if (events == nullptr) {
            return false;
        }
        events->filterBox().setText(text);
        return true;
    }
    /// Measures a range of the trace; `from` and `to` are fractions of it.
    [[nodiscard]] bool measure(double from, double to) const {
        const inspector::EventBlocks* const joined = window.opened().blocks();
        if (joined == nullptr || joined->trace().events().start.empty()) {
            return false;
        }
        const etdump::EventColumns& columns = joined->trace().events();
        const double length = static_cast<double>(columns.end.back() - columns.start.front());
        const auto tick = [&](double part) {
            return columns.start.front() + static_cast<std::uint64_t>(part * length);
        };
        window.selection().setRange(visualizers::TickRange{tick(from), tick(to)});
        return true;
    }
    /// Triggers an enabled command by its menu text.
    [[nodiscard]] bool trigger(const QString& text) const {
        for (QAction* const action : window.findChildren<QAction*>()) {
            if (action->text().remove(u'&') == text && action->isEnabled()) {
                action->trigger();
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] bool enter(std::string_view panel) const {
        window.area().enter(panel);
        return window.area().currentId() == panel;
    }
    [[nodiscard]] bool arrange(std::string_view perspective) const {
        const studio::Perspective* const found = studio::findPerspective(perspective);
        if (found != nullptr) {
            window.area().setPerspective(*found);
        }
        return found != nullptr;
    }
    [[nodiscard]] bool ask(const QString& sql) const {
        auto* const editor = window.findChild<visualizers::SqlEditor*>();
        if (editor == nullptr) {
            return false;
        }
        editor->setPlainText(sql);
        return trigger(QStringLiteral("Run Query"));
    }
    [[nodiscard]] bool save(const std::filesystem::path& file) const {
        window.saver().save(file);
        return true;
    }

  private:
    studio::MainWindow& window;
};

void addTableActs(const ActHands& hands, std::vector<WindowAct>& acts) {
    for (const std::size_t event : {0, 7, 23}) {
        acts.push_back(
            {"chooseEvent/" + std::to_string(event), [hands, event] { return hands.chooseEvent(event); }});
    }
    for (const char* const text : {"c", "co", "conv", "nowhere", ""}) {
        acts.push_back({std::string("filter/") + text,
                        [hands, text] { return hands.filter(QString::fromLatin1(text)); }});
    }
    acts.push_back({"measureRange", [hands] { return hands.measure(0.4, 0.6); }});
    acts.push_back({"measureShortRange", [hands] { return hands.measure(0.5, 0.5); }});
    acts.push_back({"measureAll", [hands] { return hands.measure(0, 1); }});
    for (const char* const command :
         {"Clear the Range", "Group by Block", "Show OPERATOR_CALL", "Group by Block", "Sum by Operator",
          "Sum by Module", "Sum by Delegate", "Sum by Delegate"}) {
        acts.push_back({std::string("do/") + command,
                        [hands, command] { return hands.trigger(QString::fromLatin1(command)); }});
    }
}

void addPanelActs(const ActHands& hands, const studio::PanelArea& area, std::vector<WindowAct>& acts) {
    std::size_t next = 11;  // a different one each time
    for (const studio::Perspective& each : studio::perspectives()) {
        const std::string id = each.id;
        acts.push_back({"perspective/" + id, [hands, id] { return hands.arrange(id); }});
        acts.push_back({"chooseEventIn/" + id, [hands, event = next++] { return hands.chooseEvent(event); }});
    }
    for (const studio::PanelArea::Entry& entry : area.entries()) {
        const std::string id = entry.info->id;
        acts.push_back({"enter/" + id, [hands, id] { return hands.enter(id); }});
        acts.push_back({"chooseEventAt/" + id, [hands, event = next++] { return hands.chooseEvent(event); }});
    }
}

}  // namespace

std::vector<WindowAct> windowActs(studio::MainWindow& window, std::filesystem::path folder) {
    const ActHands hands(window);
    std::vector<WindowAct> acts;
    addTableActs(hands, acts);
    addPanelActs(hands, window.area(), acts);
    acts.push_back(
        {"askSql", [hands] { return hands.ask(QStringLiteral("SELECT * FROM samples LIMIT 100000")); }});
    acts.push_back(
        {"saveSession", [hands, file = std::move(folder) / "saved.db"] { return hands.save(file); }});
    acts.push_back({"reload", [hands] { return hands.trigger(QStringLiteral("Reload")); }});
    return acts;
}

}  // namespace et::test
