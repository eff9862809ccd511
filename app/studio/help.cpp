#include "app/studio/help.h"

#include <QAction>
#include <QApplication>
#include <QMessageBox>
#include <QSet>

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

/// "&Open…" as a person reads it.
QString plainText(const QAction& action) {
    return action.text().remove(u'&').toHtmlEscaped();
}

}  // namespace

void showAbout(QWidget* parent) {
    showMessage(
        parent, QStringLiteral("about"), QObject::tr("About et-studio"),
        QObject::tr("<h3>et-studio %1</h3><p>Shows where a PyTorch ExecuTorch model spends its time: reads "
                    "traces (ETDump) and joins them with the ETRecord of the model.</p>"
                    "<p>All that it shows, <code>et-inspect</code> prints.</p>")
            .arg(QApplication::applicationVersion().toHtmlEscaped()));
}

void showKeys(QWidget* window) {
    QString rows;
    QSet<QString> seen;
    for (const QAction* const action : window->findChildren<QAction*>()) {
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts()) {
            keys.append(key.toString(QKeySequence::NativeText).toHtmlEscaped());
        }
        const QString row = QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                                .arg(keys.join(QStringLiteral(", ")), plainText(*action));
        if (!keys.isEmpty() && !action->text().isEmpty() && !seen.contains(row)) {
            seen.insert(row);
            rows += row;
        }
    }
    showMessage(window, QStringLiteral("keys"), QObject::tr("Keys"),
                QStringLiteral("<table>%1</table>").arg(rows));
}

}  // namespace et::studio
