#include "app/studio/explain_dialog.h"

#include "app/tasks/explain/explain_run.h"
#include "inspector/explain/program_facts.h"
#include "inspector/fit/error_codes.h"

#include <QFile>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

namespace et::studio {
namespace {

namespace fs = std::filesystem;

constexpr QSize explainSize{760, 620};
constexpr qsizetype shownBytes = 200'000;
constexpr auto placeLink = "et:place";

QString escapedText(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QString causeHtml(std::size_t number, const inspector::ExplainedCause& cause) {
    return QStringLiteral("<p><b>%1. %2</b> (%3)<br>Evidence: %4<br>Fix: %5</p>")
        .arg(number)
        .arg(escapedText(cause.cause), escapedText(name(cause.confidence)), escapedText(cause.evidence),
             escapedText(cause.remedy));
}

QString answerHtml(const inspector::Explanation& explanation) {
    QString html = QStringLiteral("<h3>%1</h3><p>").arg(escapedText(explanation.failure));
    for (const std::uint32_t code : explanation.codes) {
        html += escapedText("code: " + inspector::errorCodeText(code)) + QStringLiteral("<br>");
    }
    for (const inspector::FailureDetail& detail : explanation.details) {
        html += QStringLiteral("%1: %2<br>").arg(escapedText(detail.name), escapedText(detail.text));
    }
    if (explanation.place) {
        html += QStringLiteral("<a href=\"%1\">Show instruction %2 of %3</a>")
                    .arg(QLatin1String(placeLink))
                    .arg(explanation.place->instruction)
                    .arg(escapedText(explanation.place->method));
    }
    html += QStringLiteral("</p>");
    if (!explanation.known) {
        html += QStringLiteral("<p>The cause is not known.</p>");
    }
    for (std::size_t i = 0; i < explanation.causes.size(); ++i) {
        html += causeHtml(i + 1, explanation.causes[i]);
    }
    html += QStringLiteral("<p>If none of these is the cause, send:</p><ul>");
    for (const std::string& each : explanation.send) {
        html += QStringLiteral("<li>%1</li>").arg(escapedText(each));
    }
    return html + QStringLiteral("</ul>");
}

inspector::Explanation explainWith(const visualizers::SessionPointer& session,
                                   const inspector::LogContent& content) {
    if (!session || !session->program) {
        return inspector::explain(content);
    }
    const inspector::ExplainedProgram program{.program = session->program.get(),
                                              .name = session->program->file->name(),
                                              .record = session->recordOfProgram()};
    return inspector::explain(content, [&](inspector::Facts& facts, bool concernsDelegates) {
        addProgramFacts(program, facts, concernsDelegates);
    });
}

}  // namespace

ExplainDialog::ExplainDialog(const visualizers::OpenSession& session, visualizers::Selection& selection,
                             QWidget* parent)
    : QDialog(parent),
      opened(session),
      chosen(selection),
      log(new QPlainTextEdit(this)),
      answer(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("explainDialog"));
    setWindowTitle(QStringLiteral("Explain a Log"));
    resize(explainSize);
    log->setObjectName(QStringLiteral("explainLog"));
    log->setAccessibleName(QStringLiteral("Log"));
    log->setPlaceholderText(
        QStringLiteral("Paste or drop a log: adb logcat, Xcode, a runner, Python, a serial console"));
    log->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    log->setLineWrapMode(QPlainTextEdit::NoWrap);
    answer->setObjectName(QStringLiteral("explainAnswer"));
    answer->setAccessibleName(QStringLiteral("Explanation"));
    answer->setOpenLinks(false);
    connect(answer, &QTextBrowser::anchorClicked, this, &ExplainDialog::follow);
    auto* const button = new QPushButton(QStringLiteral("&Explain"), this);
    button->setObjectName(QStringLiteral("explainStart"));
    button->setDefault(true);
    connect(button, &QPushButton::clicked, this, &ExplainDialog::explainShown);
    auto* const split = new QSplitter(Qt::Vertical, this);
    split->addWidget(log);
    split->addWidget(answer);
    split->setStretchFactor(1, 2);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(split, 1);
    layout->addWidget(button, 0, Qt::AlignRight);
}

void ExplainDialog::explainText(const QString& text) {
    log->setPlainText(text);
    show();
    raise();
    explainShown();
}

void ExplainDialog::explainFile(const fs::path& file) {
    QFile start(QFile::decodeName(file.c_str()));
    log->setPlainText(start.open(QIODevice::ReadOnly) ? QString::fromUtf8(start.read(shownBytes))
                                                      : QString());
    show();
    raise();
    this->start([file] {
        inspector::LogScanner scanner;
        std::ifstream in(file, std::ios::binary);
        // A file that cannot be read has no known failure.
        static_cast<void>(tasks::readLog(in, scanner, file.string()));
        return scanner.finish();
    });
}

bool ExplainDialog::isLog(const fs::path& file) {
    constexpr std::array<std::string_view, 3> endings{".log", ".txt", ".logcat"};
    if (!std::ranges::contains(endings, file.extension().string())) {
        return false;
    }
    const std::array<fs::path, 1> files{file};
    const auto sorted = tasks::sortFiles(files);
    return sorted && !sorted->logs.empty();
}

QString ExplainDialog::answerText() const {
    return answer->toPlainText();
}

void ExplainDialog::explainShown() {
    if (const QString text = log->toPlainText(); !text.trimmed().isEmpty()) {
        start([bytes = text.toStdString()] { return inspector::scanLog(bytes); });
    }
}

void ExplainDialog::start(std::function<inspector::LogContent()> read) {
    answer->setPlainText(QStringLiteral("Reading the log…"));
    work.start([read = std::move(read), session = opened.session()] { return explainWith(session, read()); },
               [this](const inspector::Explanation& explanation) { showAnswer(explanation); });
}

void ExplainDialog::showAnswer(const inspector::Explanation& explanation) {
    place = explanation.place;
    answer->setHtml(answerHtml(explanation));
}

void ExplainDialog::follow(const QUrl& link) {
    if (link.toString() == QLatin1String(placeLink) && place) {
        chosen.setOperator({.method = place->method, .instruction = core::InstructionId(place->instruction)});
        chosen.reveal();
    }
}

}  // namespace et::studio
