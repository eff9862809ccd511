#include "app/studio/run/run_preview.h"

#include "inspector/memory/memory_text.h"
#include "visualizers/toolkit/text.h"

#include <QFile>
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
            ? RunPreview::tr("no delegate")
            : counted(method.delegates.size(), RunPreview::tr("1 delegate"), RunPreview::tr("%1 delegates"));
    return QStringLiteral("%1: %2, %3")
        .arg(toQString(method.name),
             counted(instructions, RunPreview::tr("1 instruction"), RunPreview::tr("%1 instructions")),
             delegates);
}

QString inputsText(const RunRequest& request) {
    if (request.testCase) {
        return RunPreview::tr("test case %1 of the bundled program").arg(*request.testCase);
    }
    if (request.inputs == QStringList{QStringLiteral("example")}) {
        return RunPreview::tr("those of the ETRecord");
    }
    return request.inputs.isEmpty() ? RunPreview::tr("none chosen")
                                    : request.inputs.join(QStringLiteral(", "));
}

QString timesText(const RunRequest& request) {
    return RunPreview::tr("%1 after %2, %3")
        .arg(counted(static_cast<std::size_t>(request.iterations), RunPreview::tr("1 execution"),
                     RunPreview::tr("%1 executions")),
             counted(static_cast<std::size_t>(request.warmup), RunPreview::tr("1 warm-up"),
                     RunPreview::tr("%1 warm-ups")),
             request.threads == 0 ? RunPreview::tr("a thread for each core")
                                  : counted(static_cast<std::size_t>(request.threads),
                                            RunPreview::tr("1 thread"), RunPreview::tr("%1 threads")));
}

QString keptText(const RunRequest& request) {
    if (request.kind == RunRequest::Kind::Bench) {
        return RunPreview::tr("times");
    }
    QStringList kept{RunPreview::tr("times and outputs")};
    if (request.trace) {
        kept.append(RunPreview::tr("a trace, which opens"));
    }
    if (request.trace && !(request.debugLevel.isEmpty() && request.taps.isEmpty())) {
        kept.append(RunPreview::tr("values of operators"));
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
        rows.append(previewRow({}, RunPreview::tr("and %1 more").arg(ids.size() - maxValues)));
    }
    return rows;
}

}  // namespace

RunPreview::RunPreview(QWidget* parent)
    : CardPage(parent),
      reading(this),
      runCard(addCard(tr("What will run"), tr("Start Run"))),
      valuesCard(addCard(tr("What it takes and gives"), {})),
      figuresCard(addCard(tr("What is known of it"), {})) {
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
    setButton(runCard, runs ? tr("Start Run (F9)") : tr("Open…"));
    if (!runs) {
        setHeadline(tr("Nothing to run yet."));
        setText(runCard, QStringLiteral("<p>%1</p>")
                             .arg(tr("Open a program (.pte) or bundled program (.bpte): it runs here, in a "
                                     "process of its own, and its trace opens beside what is open.")
                                      .toHtmlEscaped()));
        return;
    }
    setHeadline(
        tr("Times, outputs and the log of a run come here; each further run stands beside the one "
           "before."));
    reading.start([session] { return inspector::summarize(*session).figures; },
                  [this](const Figures& figures) { showFigures(figures); });
}

void RunPreview::setRequest(const RunRequest& request) {
    const program::Method* const method =
        shown && shown->program ? methodOf(*shown, request.method) : nullptr;
    if (method == nullptr) {
        return;
    }
    QStringList rows{previewRow(tr("program"), QFile::decodeName(request.model.filename().c_str())),
                     previewRow(tr("method"), methodText(*method)),
                     previewRow(tr("inputs"), inputsText(request)),
                     previewRow(tr("times"), timesText(request)), previewRow(tr("kept"), keptText(request))};
    if (!request.target.isEmpty()) {
        rows.insert(1, previewRow(tr("target"), request.target));
    }
    setText(runCard, tableOf(rows));
    setText(valuesCard, tableOf(valueRows(*method, method->inputs, tr("input %1")) +
                                valueRows(*method, method->outputs, tr("output %1"))));
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
