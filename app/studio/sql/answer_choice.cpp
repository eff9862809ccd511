#include "app/studio/sql/answer_choice.h"

#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/sql/answer_model.h"

#include <array>
#include <optional>
#include <string>

namespace et::studio {

namespace {

using visualizers::AnswerModel;
using visualizers::OpenSession;
using visualizers::Selection;

/// The method of a row, or the first one of the session.
std::string methodOf(const AnswerModel& answers, int row, const OpenSession& opened,
                     const Selection& chosen) {
    const QString named = answers.text(row, QStringLiteral("method"));
    if (!named.isEmpty()) {
        return named.toStdString();
    }
    const inspector::Session& session = *opened.session();
    if (chosen.currentOperator()) {
        return chosen.currentOperator()->method;
    }
    if (session.program != nullptr && !session.program->methods.empty()) {
        return std::string(session.program->methods.front().name);
    }
    return session.record != nullptr && !session.record->methods().empty() ? session.record->methods().front()
                                                                           : std::string("forward");
}

/// `events.event` is numbered across all blocks.
void chooseEvent(const OpenSession& opened, Selection& chosen, std::string, qint64 number) {
    auto left = static_cast<std::size_t>(number);
    const auto blocks =
        opened.blocks() == nullptr ? std::span<const inspector::Block>() : opened.blocks()->blocks();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (left < blocks[i].events.size()) {
            chosen.setCurrent(visualizers::EventRef{.block = i, .event = left});
            return;
        }
        left -= blocks[i].events.size();
    }
}

void chooseInstruction(const OpenSession&, Selection& chosen, std::string method, qint64 number) {
    chosen.setOperator(
        {.method = std::move(method), .instruction = core::InstructionId(static_cast<std::int32_t>(number))});
}

void chooseHandle(const OpenSession&, Selection& chosen, std::string method, qint64 number) {
    chosen.setHandles(std::move(method), {core::DebugHandle(number)});
}

/// A column whose numbers identify something that can be selected.
struct ChoiceInfo {
    const char* column;
    void (*choose)(const OpenSession& opened, Selection& chosen, std::string method, qint64 number);
};
constexpr std::array choices{
    ChoiceInfo{"event", chooseEvent},
    ChoiceInfo{"debug_handle", chooseHandle},
    ChoiceInfo{"instruction", chooseInstruction},
};

}  // namespace

bool chooseAnswer(const AnswerModel& answers, const QModelIndex& cell, const OpenSession& opened,
                  Selection& chosen) {
    if (!cell.isValid() || opened.session() == nullptr) {
        return false;
    }
    const QString own = answers.headerData(cell.column(), Qt::Horizontal, Qt::DisplayRole).toString();
    const ChoiceInfo* found = nullptr;
    std::optional<qint64> number;
    for (const ChoiceInfo& each : choices) {
        const QString column = QString::fromLatin1(each.column);
        const std::optional<qint64> has = answers.number(cell.row(), column);
        if (has && (found == nullptr || own == column)) {
            found = &each;
            number = has;
        }
    }
    if (found == nullptr || *number < 0) {
        return false;
    }
    found->choose(opened, chosen, methodOf(answers, cell.row(), opened, chosen), *number);
    return true;
}

}  // namespace et::studio
