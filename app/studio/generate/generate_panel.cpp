#include "app/studio/generate/generate_panel.h"

#include "app/studio/form_rows.h"
#include "app/studio/generate/generate_form.h"
#include "app/studio/generate/generate_map.h"
#include "app/studio/generate/generate_request.h"
#include "app/studio/panel_command.h"
#include "app/studio/shell_text.h"
#include "app/studio/start_command.h"
#include "inspector/format/quantities.h"
#include "inspector/generate/language_form.h"
#include "visualizers/generate/generated_text.h"
#include "visualizers/generate/generated_tokens.h"
#include "visualizers/generate/position_map.h"
#include "visualizers/generate/rate_plot.h"
#include "visualizers/open_session.h"
#include "visualizers/selection.h"
#include "visualizers/toolkit/packed_state.h"
#include "visualizers/toolkit/splitter.h"
#include "visualizers/toolkit/text.h"
#include "visualizers/toolkit/widgets.h"

#include <QAction>
#include <QApplication>
#include <QByteArray>
#include <QClipboard>
#include <QFile>
#include <QIODevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QString>
#include <QStringList>
#include <QToolBar>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace et::studio {

using visualizers::ShownToken;
namespace fs = std::filesystem;
using inspector::events::GenerationCall;
using visualizers::GeneratedText;
using visualizers::TickRange;

namespace {

/// A line of `generate --format jsonl` (docs/reference/json.md).
struct GenerateEvent {
    std::vector<visualizers::ShownToken> tokens;  ///< of the prompt, or a generated one
};

ShownToken readToken(const QJsonObject& object, bool generated) {
    const QJsonValue surprise = object[QLatin1String("surprise")];
    return {.id = static_cast<std::uint32_t>(object[QLatin1String("id")].toInteger()),
            .position = static_cast<std::size_t>(object[QLatin1String("position")].toInteger()),
            .text = object[QLatin1String("text")].toString(),
            .generated = generated,
            .milliseconds = object[QLatin1String("ms")].toDouble(),
            .surprise = surprise.isDouble() ? std::optional(surprise.toDouble()) : std::nullopt};
}

QString rateText(const QJsonValue& of) {
    return QString::number(of[QLatin1String("tokens_per_second")].toDouble(), 'f', 1);
}

/// Returns nothing if the line is invalid or contains no tokens.
std::optional<GenerateEvent> readGenerateEvent(const QByteArray& line) {
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QString kind = object[QLatin1String("event")].toString();
    if (kind == QLatin1String("token")) {
        return GenerateEvent{.tokens = {readToken(object, true)}};
    }
    if (kind != QLatin1String("prompt")) {
        return std::nullopt;
    }
    GenerateEvent event;
    for (const QJsonValue& each : object[QLatin1String("tokens")].toArray()) {
        event.tokens.push_back(readToken(each.toObject(), false));
    }
    return event;
}

/// A one-line summary of a generation from the last line of its output: rates, time to first token, cache.
/// Empty if there is none.
QString figuresOfGeneration(const QByteArray& output) {
    const QByteArray text = output.trimmed();
    const QJsonObject object = QJsonDocument::fromJson(text.sliced(text.lastIndexOf('\n') + 1)).object();
    if (object[QLatin1String("event")].toString() != QLatin1String("end")) {
        return {};
    }
    const QJsonValue prefill = object[QLatin1String("prefill")];
    const QJsonValue decode = object[QLatin1String("decode")];
    const QJsonValue times = object[QLatin1String("time_ms")];
    const auto milliseconds = [](const QJsonValue& time) {
        return visualizers::timeText(time.toDouble(), inspector::TimeScale::Milliseconds);
    };
    QStringList parts{QStringLiteral("stopped by %1").arg(object[QLatin1String("end")].toString()),
                      QStringLiteral("first token %1").arg(milliseconds(times[QLatin1String("first_token")])),
                      QStringLiteral("prefill %1 tokens, %2 tokens/s")
                          .arg(prefill[QLatin1String("tokens")].toInteger())
                          .arg(rateText(prefill))};
    if (decode[QLatin1String("tokens")].toInteger() > 0) {
        parts.append(QStringLiteral("decode %1 tokens, %2 tokens/s")
                         .arg(decode[QLatin1String("tokens")].toInteger())
                         .arg(rateText(decode)));
    }
    const QJsonValue memory = object[QLatin1String("memory")];
    const auto bytes = [&](QLatin1String name) {
        return visualizers::toQString(
            inspector::format::readableBytes(static_cast<std::uint64_t>(memory[name].toInteger())));
    };
    if (memory[QLatin1String("kv_reserved")].toInteger() > 0) {
        parts.append(QStringLiteral("KV cache %1 of %2")
                         .arg(bytes(QLatin1String("kv_used")), bytes(QLatin1String("kv_reserved"))));
    }
    return parts.join(QStringLiteral(" · "));
}

constexpr int formLetters = 52;

TickRange rangeOf(const GenerationCall& call) {
    return {.first = call.first, .last = call.last};
}

}  // namespace

GeneratePanel::GeneratePanel(const PanelContext& context, QWidget* parent)
    : Panel(parent),
      opened(context.opened),
      chosen(context.selection),
      store(context.settings),
      open(context.open),
      generated(new visualizers::GeneratedTokens(this)),
      tools(new QToolBar(this)),
      summary(
          visualizers::plainLabel("generateSummary", this, {.sides = 8, .wraps = false, .shrinks = true})),
      choices(new GenerateForm(store, this)),
      words(new GeneratedText(*generated, this)),
      known(visualizers::plainLabel("generatedToken", this, {.margin = 4, .wraps = false, .shrinks = true})),
      speed(new visualizers::RatePlot(*generated, this)),
      modules(new GenerateMap(opened, chosen, this)) {
    createTools();
    addActions(modules->actions());
    auto* const across = new visualizers::Splitter(this);
    across->addParts({{scrolledForm(*choices, formLetters, this), 0}, {createResults(), 1}});
    across->setChildrenCollapsible(false);
    visualizers::fillColumn(*this, {visualizers::rowOf({tools, summary}), across});
    setFocusProxy(&choices->promptField());
    connect(&opened, &visualizers::OpenSession::changed, this, &GeneratePanel::showSession);
    connect(&chosen, &visualizers::Selection::rangeChanged, this, &GeneratePanel::showRange);
    connect(choices, &GenerateForm::changed, this, &GeneratePanel::showCommand);
    connect(choices, &GenerateForm::copyRequested, this, &GeneratePanel::copyCommand);
    connect(&process, &RunProcess::wrote, this, &GeneratePanel::takeLine);
    connect(&process, &RunProcess::ended, this, &GeneratePanel::take);
    connect(generated, &visualizers::GeneratedTokens::chosenChanged, this, &GeneratePanel::chooseToken);
    connect(modules, &GenerateMap::summedUp, this, &GeneratePanel::showRange);
    showSession();
}

void GeneratePanel::createTools() {
    startAction = addStart(*this, *tools, QStringLiteral("&Generate"), &GeneratePanel::generate);
    stopAction = addStop(*this, *tools, QStringLiteral("&Stop Generating"), [this] { process.cancel(); });
    stopAction->setToolTip(QStringLiteral("Stop, and keep the generated text"));
    addCommand(*this, QStringLiteral("Copy Generated &Text"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_T),
               [this] { QApplication::clipboard()->setText(words->toPlainText()); });
    addCommand(*this, QStringLiteral("Copy Generate Co&mmand"),
               QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), &GeneratePanel::copyCommand);
    colourAction = addCommand(*this, QStringLiteral("Colour by &Time"), QKeySequence(Qt::CTRL | Qt::Key_U),
                              &GeneratePanel::switchColour);
    colourAction->setCheckable(true);
    tools->addSeparator();
    tools->addAction(colourAction);
}

QWidget* GeneratePanel::createResults() {
    auto* const top = new QWidget(this);
    words->setObjectName(QStringLiteral("generatedText"));
    visualizers::fillColumn(*top, {words, known}, words);
    auto* const down = new visualizers::Splitter(Qt::Vertical, this);
    down->addParts({{top, 4}, {speed, 2}, {modules, 4}});
    down->setChildrenCollapsible(false);
    return down;
}

visualizers::PositionMap& GeneratePanel::map() {
    return modules->cells();
}

bool GeneratePanel::busy() const {
    return process.running() || modules->busy();
}

bool GeneratePanel::hasContent() const {
    return opened.session() && opened.session()->program &&
           inspector::isLanguageModel(*opened.session()->program);
}

void GeneratePanel::showSession() {
    choices->setSession(opened.session().get());
    showCommand();
    showState();
    modules->sumUp();
}

/// Shows placeholders instead of the temporary files used by the window.
void GeneratePanel::showCommand() {
    tasks::GenerateSettings settings = choices->request();
    settings.trace = "trace.etdp";
    if (needsPromptFile(settings)) {
        settings.prompts = {"@prompt.txt"};
    }
    choices->setCommand(settings.program.empty()
                            ? QString()
                            : shellText(QStringList{QStringLiteral("et-inspect")} + argumentsOf(settings)));
    showState();
}

void GeneratePanel::copyCommand() {
    QApplication::clipboard()->setText(choices->command());
}

void GeneratePanel::switchColour() {
    words->setColour(colourAction->isChecked() ? GeneratedText::Colour::Time
                                               : GeneratedText::Colour::Surprise);
    chooseToken();
}

void GeneratePanel::generate() {
    tasks::GenerateSettings settings = choices->request();
    if (process.running() || !hasContent() || settings.tokenizer.empty()) {
        return;
    }
    const fs::path base = QFile::encodeName(folder.path()).toStdString();
    const std::string name = "generate_" + std::to_string(++runs);
    trace = base / (name + ".etdp");
    settings.trace = trace;
    if (needsPromptFile(settings)) {
        const fs::path promptFile = base / (name + ".txt");
        QFile file(QFile::decodeName(promptFile.c_str()));
        const QByteArray text = QByteArray::fromStdString(settings.prompts.front());
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) {
            emit noticed(QStringLiteral("cannot write the prompt: %1").arg(file.errorString()));
            return;
        }
        settings.prompts = {"@" + promptFile.string()};
    }
    generated->clear();
    outcome = QStringLiteral("running");
    process.start(RunProcess::findProgram(store), argumentsOf(settings));
    showState();
}

void GeneratePanel::takeLine(const QByteArray& line) {
    if (auto event = readGenerateEvent(line)) {
        for (visualizers::ShownToken& token : event->tokens) {
            generated->add(std::move(token));
        }
        showState();
    }
}

void GeneratePanel::take(const RunEnd& end) {
    const QString figures = figuresOfGeneration(end.output);
    const QString problem = end.kind != RunEnd::Kind::Finished || end.exitCode == 0
                                ? end.message
                                : QString::fromUtf8(end.log.sliced(end.log.lastIndexOf('\n') + 1));
    outcome = figures.isEmpty() ? problem : figures;
    if (end.kind != RunEnd::Kind::Cancelled && !problem.isEmpty()) {
        emit noticed(problem);
    }
    showState();
    std::error_code unknown;
    if (!figures.isEmpty() && fs::exists(trace, unknown)) {
        open({trace});
    }
}

void GeneratePanel::showState() {
    const bool idle = !process.running();
    const bool ready = hasContent() && !choices->request().tokenizer.empty();
    startAction->setEnabled(idle && ready);
    stopAction->setVisible(!idle);
    if (!hasContent()) {
        summary->setText(
            opened.session() && opened.session()->program
                ? QStringLiteral("The open program is not a language model: no method maps tokens to logits.")
                : QStringLiteral("Open a language model (.pte) to generate text with it."));
    } else if (!ready) {
        summary->setText(QStringLiteral("Choose the model's tokenizer on the left."));
    } else if (!idle) {
        summary->setText(QStringLiteral("%1 tokens").arg(generated->tokens().size()));
    } else {
        summary->setText(outcome.isEmpty() ? QStringLiteral("Generates text from the prompt.") : outcome);
    }
    summary->setToolTip(summary->text());
    known->setText(generated->chosen() ? generated->describe(*generated->chosen()) : words->legend());
}

std::optional<std::size_t> GeneratePanel::callOf(std::size_t token) const {
    const auto* const times = modules->cells().times();
    const auto session = opened.session();
    if (times == nullptr || trace.empty() || session == nullptr || session->files.trace != trace) {
        return std::nullopt;
    }
    // A generated token comes from the execution that read the previous token.
    const visualizers::ShownToken& of = generated->tokens()[token];
    const std::size_t read = of.generated && of.position > 0 ? of.position - 1 : of.position;
    const auto found =
        std::ranges::find_if(times->calls, [read](const GenerationCall& call) { return call.covers(read); });
    return found == times->calls.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - times->calls.begin()));
}

void GeneratePanel::chooseToken() {
    showState();
    const auto token = generated->chosen();
    const auto call = token ? callOf(*token) : std::nullopt;
    if (call) {
        modules->cells().setCall(call);
        chosen.setRange(rangeOf(modules->cells().times()->calls[*call]));
    }
}

/// Selects the token generated by an execution; for a prefill, keeps the selected token if it was read there.
void GeneratePanel::chooseCall(std::size_t call) {
    modules->cells().setCall(call);
    const auto token = generated->chosen();
    if (token && callOf(*token) == call) {
        return;
    }
    for (std::size_t each = generated->tokens().size(); each-- > 0;) {
        if (callOf(each) == call) {
            generated->choose(each);
            return;
        }
    }
}

void GeneratePanel::showRange() {
    const auto* const times = modules->cells().times();
    const auto range = chosen.range();
    if (times == nullptr || !range) {
        modules->cells().setCall(std::nullopt);
        return;
    }
    const auto call = std::ranges::find(times->calls, *range, rangeOf);
    if (call != times->calls.end()) {
        chooseCall(static_cast<std::size_t>(call - times->calls.begin()));
    } else {
        modules->cells().setCall(std::nullopt);
    }
}

QByteArray GeneratePanel::saveState() const {
    return visualizers::packed(Panel::saveState(), choices->saveState(), modules->level(),
                               colourAction->isChecked());
}

void GeneratePanel::restoreState(const QByteArray& state) {
    if (const auto read = visualizers::unpacked<QByteArray, QByteArray, int, bool>(state)) {
        const auto& [sizes, form, level, byTime] = *read;
        Panel::restoreState(sizes);
        choices->restoreState(form);
        modules->setLevel(level);
        colourAction->setChecked(byTime);
        switchColour();
    }
}

}  // namespace et::studio
