#include "app/studio/commands.h"

#include "inspector/events/readable_name.h"
#include "inspector/join/event_blocks.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/text.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

constexpr int maxOperators = 3000;  // others can be found by the filter of the events
const QString holderName = QStringLiteral("operatorCommands");

struct Synonyms {
    const char* text;   ///< of a command
    const char* words;  ///< untranslated
};
constexpr std::array synonymTable{
    Synonyms{"Quantize", "quantization int8 lab sensitivity compress"},
    Synonyms{"Accuracy", "numbers gap numeric error correctness wrong output"},
    Synonyms{"Operator Errors", "gap accuracy numeric error wrong operator"},
    Synonyms{"Compare", "change diff regression baseline slower faster"},
    Synonyms{"Time", "profile profiling slow performance latency"},
    Synonyms{"Memory", "ram peak plan arena"},
    Synonyms{"Structure", "graph model delegates partition"},
    Synonyms{"Verify", "test cases check correctness"},
    Synonyms{"Report as HTML…", "share page export html"},
    Synonyms{"Trace for Perfetto…", "chrome export"},
    Synonyms{"Debug", "breakpoint watchpoint step nan debugger"},
    Synonyms{"Generate", "language model llm tokens chat"},
};

/// Returns "&Open…" without mnemonic. A doubled "&" is a literal one.
QString plainText(QString text) {
    constexpr QChar kept(0x1);
    return text.replace(QLatin1String("&&"), kept).remove(u'&').replace(kept, u'&');
}

void addCommands(QList<Command>& commands, const QList<QAction*>& actions, const QString& path) {
    for (QAction* const action : actions) {
        const QString text = plainText(action->text());
        if (const QMenu* const menu = action->menu()) {
            addCommands(commands, menu->actions(),
                        path.isEmpty() ? text : QStringLiteral("%1 › %2").arg(path, text));
        } else if (!action->isSeparator() && !text.isEmpty()) {
            commands.append({path, text, action});
        }
    }
}

}  // namespace

QList<Command> operatorCommands(const inspector::EventBlocks* blocks, visualizers::Selection& selection,
                                QObject& owner) {
    delete owner.findChild<QObject*>(holderName, Qt::FindDirectChildrenOnly);
    auto* const holder = new QObject(&owner);
    holder->setObjectName(holderName);
    QList<Command> commands;
    for (std::size_t b = 0; blocks != nullptr && b < blocks->blocks().size(); ++b) {
        const inspector::Block& block = blocks->blocks()[b];
        for (std::size_t e = 0; e < block.events.size() && commands.size() < maxOperators; ++e) {
            const inspector::Event& event = block.events[e];
            if (event.chain < 0 || event.samples.empty()) {
                continue;
            }
            const QString readable = visualizers::toQString(inspector::events::readableName(block, event));
            const QString traced = visualizers::toQString(event.name);
            // The name in the trace can be searched as well.
            const QString name =
                traced == readable ? readable : QStringLiteral("%1 (%2)").arg(readable, traced);
            auto* const action = new QAction(name, holder);
            QObject::connect(action, &QAction::triggered, &selection, [&selection, b, e] {
                selection.setCurrent(visualizers::EventRef{.block = b, .event = e});
                selection.reveal();
            });
            commands.append(
                {QStringLiteral("Operators › instruction %1").arg(event.instruction.value), name, action});
        }
    }
    return commands;
}

QString synonymsOf(const QString& text) {
    const auto* const found = std::ranges::find_if(
        synonymTable, [&](const Synonyms& each) { return text == QString::fromUtf8(each.text); });
    return found == synonymTable.end() ? QString() : QString::fromUtf8(found->words);
}

QList<Command> collectCommands(const QMenuBar& menus) {
    QList<Command> commands;
    addCommands(commands, menus.actions(), {});
    return commands;
}

QString keysOf(const QAction& action) {
    return QKeySequence::listToString(action.shortcuts(), QKeySequence::NativeText)
        .replace(QLatin1String("; "), QLatin1String(", "));
}

}  // namespace et::studio
