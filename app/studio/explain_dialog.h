#pragma once

#include "app/studio/background.h"
#include "inspector/explain/explanation.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"

#include <QDialog>
#include <QString>

#include <filesystem>
#include <functional>
#include <optional>

class QPlainTextEdit;
class QTextBrowser;
class QUrl;

namespace et::studio {

/// Dialog that explains a log with the open program; the answer links to the operator that failed. Non-modal.
class ExplainDialog : public QDialog {
    Q_OBJECT

  public:
    /// `session` and `selection` must outlive the dialog.
    ExplainDialog(const visualizers::OpenSession& session, visualizers::Selection& selection,
                  QWidget* parent);

    /// Shows the dialog and explains a text.
    void explainText(const QString& text);
    /// Shows the dialog and explains a file of any size, of which the dialog shows the start.
    void explainFile(const std::filesystem::path& file);
    /// True for a text file with the name of a log.
    [[nodiscard]] static bool isLog(const std::filesystem::path& file);

    /// The answer as plain text.
    [[nodiscard]] QString answerText() const;

  private:
    void explainShown();
    void start(std::function<inspector::LogContent()> read);
    void showAnswer(const inspector::Explanation& explanation);
    void follow(const QUrl& link);

    const visualizers::OpenSession& opened;
    visualizers::Selection& chosen;
    QPlainTextEdit* log;
    QTextBrowser* answer;
    std::optional<inspector::FailurePlace> place;
    Background<inspector::Explanation> work{this};
};

}  // namespace et::studio
