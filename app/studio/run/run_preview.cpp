#include "app/studio/run/run_preview.h"

#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/text.h"

#include <QFile>
#include <QLabel>
#include <QStringList>

#include <algorithm>

namespace et::studio {

namespace {

using visualizers::counted;
using visualizers::toQString;

constexpr std::size_t maxValues = 8;  // of a list, to keep the card short

QString previewRow(const QString& name, const QString& value) {
    return QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString tableOf(const QStringList& rows) {
    return QStringLiteral("<table cellspacing='0' cellpadding='1'>%1</table>").arg(rows.join(QString()));
}

/// The selected method, or the default; null if the program has none.
const program::Method* methodOf(const inspector::Session& session, const QString& name) {
    const program::Program& program = *session.program;
    const program::Method* found = nullptr;
    for (const QString& each : {name, QStringLiteral("forward")}) {
        found = found == nullptr && !each.isEmpty() ? program.findMethod(each.toStdString()) : found;
    }
    return found == nullptr && !program.methods.empty() ? &program.methods.front() : found;
}

QString methodText(const program::Method& method) {
    std::size_t instructions = 0;
    for (const program::Chain& chain : method.chains) {
        instructions += chain.instructions.size();
    }
    const QString delegates =
        method.delegates.empty()
            ? QStringLiteral("no delegate")
            : counted(method.delegates.size(), QStringLiteral("1 delegate"), QStringLiteral("%1 delegates"));
    return QStringLiteral("%1: %2, %3")
        .arg(toQString(method.name),
             counted(instructions, QStringLiteral("1 instruction"), QStringLiteral("%1 instructions")),
             delegates);
}

QString inputsText(const tasks::ModelOptions& model) {
    if (model.testCase) {
        return QStringLiteral("test case %1 of the bundled program").arg(*model.testCase);
    }
    if (model.inputs == std::vector<std::string>{"example"}) {
        return QStringLiteral("from the ETRecord");
    }
    QStringList inputs;
    for (const std::string& each : model.inputs) {
        inputs.append(toQString(each));
    }
    return inputs.isEmpty() ? QStringLiteral("none chosen") : inputs.join(QStringLiteral(", "));
}

QString timesText(const tasks::RunSettings& settings) {
    return QStringLiteral("%1 after %2, %3")
        .arg(counted(settings.repetitions.measured, QStringLiteral("1 execution"),
                     QStringLiteral("%1 executions")),
             counted(settings.repetitions.warmup, QStringLiteral("1 warm-up"), QStringLiteral("%1 warm-ups")),
             settings.model.threads == 0
                 ? QStringLiteral("one thread per core")
                 : counted(settings.model.threads, QStringLiteral("1 thread"), QStringLiteral("%1 threads")));
}

QString keptText(const RunRequest& request) {
    if (request.kind == RunRequest::Kind::Bench) {
        return QStringLiteral("times");
    }
    QStringList kept{QStringLiteral("times and outputs")};
    if (request.trace) {
        kept.append(QStringLiteral("a trace, which is opened"));
    }
    if (request.hasValues()) {
        kept.append(QStringLiteral("operator values"));
    }
    return kept.join(QStringLiteral(", "));
}

QStringList valueRows(const program::Method& method, const std::vector<program::ValueId>& ids,
                      const QString& name) {
    QStringList rows;
    for (std::size_t i = 0; i < std::min(ids.size(), maxValues); ++i) {
        const program::Value& value = method.value(ids[i]);
        const auto* const tensor = value.as<program::TensorInfo>();
        rows.append(previewRow(name.arg(i), tensor != nullptr ? toQString(inspector::tensorText(*tensor))
                                                              : toQString(program::valueTypeName(value))));
    }
    if (ids.size() > maxValues) {
        rows.append(previewRow({}, QStringLiteral("and %1 more").arg(ids.size() - maxValues)));
    }
    return rows;
}

}  // namespace

RunPreview::RunPreview(QWidget* parent)
    : CardPage(parent),
      reading(this),
      runCard(addCard(QStringLiteral("Next run"), QStringLiteral("Start Run"))),
      valuesCard(addCard(QStringLiteral("Inputs and outputs"), {})),
      figuresCard(addCard(QStringLiteral("Known figures"), {})) {
    headline().setObjectName(QStringLiteral("runHint"));
    connect(this, &CardPage::acted, this, [this] {
        if (shown && shown->program) {
            emit startWanted();
        } else {
            emit openWanted();
        }
    });
    setSession(nullptr);
}

void RunPreview::setSession(const std::shared_ptr<const inspector::Session>& session) {
    reading.forget();
    shown = session;
    const bool runs = session && session->program;
    setCardShown(valuesCard, runs);
    setCardShown(figuresCard, false);
    setButton(runCard, runs ? QStringLiteral("Start Run (F9)") : QStringLiteral("Open…"));
    if (!runs) {
        setHeadline(QStringLiteral("Nothing to run yet."));
        setText(runCard,
                QStringLiteral("<p>%1</p>")
                    .arg(QStringLiteral("Open a program (.pte) or bundled program (.bpte) to run it in a "
                                        "separate process. Its trace opens next to the open files.")
                             .toHtmlEscaped()));
        return;
    }
    setHeadline(QStringLiteral(
        "Times, outputs and the log of a run appear here; each run is compared with the previous one."));
    reading.start([session] { return inspector::summarize(*session).figures; },
                  [this](const Figures& figures) { showFigures(figures); });
}

void RunPreview::setRequest(const RunRequest& request) {
    const tasks::RunSettings& settings = request.settings;
    const program::Method* const method =
        shown && shown->program ? methodOf(*shown, toQString(settings.model.method)) : nullptr;
    if (method == nullptr) {
        return;
    }
    QStringList rows{
        previewRow(QStringLiteral("program"), QFile::decodeName(settings.program.filename().c_str())),
        previewRow(QStringLiteral("method"), methodText(*method)),
        previewRow(QStringLiteral("inputs"), inputsText(settings.model)),
        previewRow(QStringLiteral("times"), timesText(settings)),
        previewRow(QStringLiteral("kept"), keptText(request))};
    if (settings.model.on.isRemote()) {
        rows.insert(1, previewRow(QStringLiteral("target"), toQString(settings.model.on.target)));
    }
    setText(runCard, tableOf(rows));
    setText(valuesCard, tableOf(valueRows(*method, method->inputs, QStringLiteral("input %1")) +
                                valueRows(*method, method->outputs, QStringLiteral("output %1"))));
}

void RunPreview::showFigures(const Figures& figures) {
    QStringList rows;
    for (const inspector::KeyFigure& each : figures) {
        rows.append(previewRow(toQString(each.label), toQString(each.text)));
    }
    setText(figuresCard, tableOf(rows));
    setCardShown(figuresCard, !rows.isEmpty());
}

}  // namespace et::studio
