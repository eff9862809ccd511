#include "app/studio/help.h"

#include "app/studio/panels_menu.h"

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QMessageBox>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace et::studio {

namespace {

void showMessage(QWidget* parent, const QString& name, const QString& title, const QString& text) {
    auto* const box = new QMessageBox(parent);
    box->setObjectName(name);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(title);
    box->setIconPixmap(QApplication::windowIcon().pixmap(64));
    box->setTextFormat(Qt::RichText);
    box->setText(text);
    box->setStandardButtons(QMessageBox::Close);
    box->setModal(false);
    box->show();
}

/// A table of shortcuts with their commands, with a heading per menu; filtered by `wanted` unless it is
/// empty.
QString keyTable(const QList<Command>& commands, const QString& wanted) {
    QString rows;
    QString heading;
    for (const Command& command : commands) {
        const QString keys = command.action == nullptr ? QString() : keysOf(*command.action).toHtmlEscaped();
        const bool shown = wanted.isEmpty() || command.text.contains(wanted, Qt::CaseInsensitive) ||
                           keys.contains(wanted, Qt::CaseInsensitive);
        if (keys.isEmpty() || !shown) {
            continue;
        }
        if (command.path != heading) {
            heading = command.path;
            rows += QStringLiteral("<tr><td colspan=2><br><b>%1</b></td></tr>").arg(heading.toHtmlEscaped());
        }
        rows += QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(keys, command.text.toHtmlEscaped());
    }
    return QStringLiteral("<table>%1</table>").arg(rows);
}

}  // namespace

void showAbout(QWidget* parent) {
    showMessage(parent, QStringLiteral("about"), QStringLiteral("About et-studio"),
                QStringLiteral(
                    "<h3>et-studio %1</h3><p>Profiling, debugging and testing for PyTorch ExecuTorch models: "
                    "reads traces (ETDump), ETRecords and programs, and runs the test cases of bundled "
                    "programs.</p><p>Everything it shows is also available from <code>et-inspect</code>.</p>")
                    .arg(QApplication::applicationVersion().toHtmlEscaped()));
}

void showKeys(QWidget* parent, QList<Command> commands, const QString& here) {
    std::ranges::stable_partition(
        commands, [own = menuOfPanel(here)](const Command& each) { return each.path.endsWith(own); });
    auto* const dialog = new QDialog(parent);
    dialog->setObjectName(QStringLiteral("keys"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QStringLiteral("Keys"));
    auto* const filter = new QLineEdit(dialog);
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(QStringLiteral("Search keys and actions"));
    auto* const text = new QTextBrowser(dialog);
    text->setHtml(keyTable(commands, {}));
    QObject::connect(filter, &QLineEdit::textChanged, text,
                     [text, commands](const QString& wanted) { text->setHtml(keyTable(commands, wanted)); });
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* const layout = new QVBoxLayout(dialog);
    layout->addWidget(filter);
    layout->addWidget(text);
    layout->addWidget(buttons);
    // Scrolls, because there are more shortcuts than fit a small screen.
    constexpr QSize wanted(520, 640);
    const QSize screen = dialog->screen() != nullptr ? dialog->screen()->availableSize() * 0.8 : wanted;
    dialog->resize(wanted.boundedTo(screen).boundedTo(parent->window()->size()));
    dialog->show();
}

}  // namespace et::studio
