#include "visualizers/toolkit/copy_actions.h"

#include "visualizers/toolkit/keyed_action.h"

#include <QApplication>
#include <QClipboard>
#include <QObject>

#include <utility>

namespace et::visualizers {

void addCopyActions(QWidget& owner, std::function<QString(inspector::format::Format)> text) {
    using inspector::format::Format;
    const auto copy = [made = std::move(text)](Format format) {
        QApplication::clipboard()->setText(made(format));
    };
    keyedAction(owner, QStringLiteral("&Copy as TSV"), QKeySequence::Copy, [copy] { copy(Format::Tsv); });
    QAction* const markdown =
        keyedAction(owner, QStringLiteral("Copy as &Markdown"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M), [copy] { copy(Format::Markdown); });
    alsoOn(*markdown, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
}

}  // namespace et::visualizers
