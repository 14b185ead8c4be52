/// What the consent page does in a browser that has passkeys: it signs in, answers the question that the node asks back
/// (70 §2.11), signs out and goes on. It is the same text on every page, so that the page's policy can name its hash.
enum ConsentScript {
  static let text = #"""
    (() => {
      "use strict";
      if (!window.PublicKeyCredential || !navigator.credentials) return;
      const form = document.getElementById("consent");
      const problem = document.getElementById("problem");
      const buttons = ["approve", "deny"].map((id) => document.getElementById(id));
      const request = form.elements.namedItem("request").value;

      const bytes = (text) => Uint8Array.from(
        atob(text.replace(/-/g, "+").replace(/_/g, "/")), (character) => character.charCodeAt(0));
      const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
        .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

      async function ask(path, body, token, confirmation) {
        const headers = { "accept": "application/json", "x-calimero-api": "1" };
        if (body !== undefined) headers["content-type"] = "application/json";
        if (token) headers["authorization"] = "Bearer " + token;
        if (confirmation) headers["x-calimero-confirm"] = confirmation;
        const response = await fetch("consent/api" + path, {
          method: "POST", headers, body, credentials: "omit", cache: "no-store", redirect: "error",
        });
        const answer = await response.text();
        return { status: response.status, json: answer ? JSON.parse(answer) : {} };
      }

      function accepted(answer) {
        if (answer.status < 300) return answer.json;
        throw new Error(answer.json.error ? answer.json.error.message : "The node answered " + answer.status);
      }

      async function assertion(options) {
        const credential = await navigator.credentials.get({
          publicKey: {
            challenge: bytes(options.challenge), rpId: options.rpId, timeout: options.timeout,
            userVerification: options.userVerification,
            allowCredentials: (options.allowCredentials || []).map(
              (each) => ({ type: each.type, id: bytes(each.id) })),
          },
        });
        const response = {
          clientDataJSON: text(credential.response.clientDataJSON),
          authenticatorData: text(credential.response.authenticatorData),
          signature: text(credential.response.signature),
        };
        const handle = credential.response.userHandle;
        if (handle && handle.byteLength > 0) response.userHandle = text(handle);
        return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
      }

      async function signIn() {
        const name = form.elements.namedItem("name").value.trim();
        const begun = accepted(await ask("/auth/signin/begin", JSON.stringify(name ? { name } : {})));
        const credential = await assertion(begun.options);
        const finish = { ceremonyId: begun.ceremonyId, credential, label: "Consent page" };
        return accepted(await ask("/auth/signin/finish", JSON.stringify(finish))).accessToken;
      }

      async function approve(token) {
        const scopes = [...form.querySelectorAll("input[type=checkbox]:checked")]
          .map((box) => box.name.replace(/^scope /, ""));
        const path = "/consent/requests/" + encodeURIComponent(request) + "/approve";
        const body = JSON.stringify({ scopes });
        const first = await ask(path, body, token);
        if (first.status !== 412) return accepted(first);
        const question = first.json.error.details;
        const credential = JSON.stringify(await assertion(question.options));
        const confirmation = "v1." + question.confirmId + "." + text(new TextEncoder().encode(credential));
        return accepted(await ask(path, body, token, confirmation));
      }

      async function deny(token) {
        return accepted(await ask("/consent/requests/" + encodeURIComponent(request) + "/deny", undefined, token));
      }

      async function answer(give) {
        problem.hidden = true;
        buttons.forEach((button) => { button.disabled = true; });
        let token;
        try {
          token = await signIn();
          const { redirectUrl } = await give(token);
          await ask("/auth/signout", undefined, token);
          token = undefined;
          location.assign(redirectUrl);
        } catch (error) {
          problem.textContent = error.name === "NotAllowedError"
            ? "No passkey was used: this browser has none for the account, or the question was closed."
            : error.message;
          problem.hidden = false;
          if (token) ask("/auth/signout", undefined, token).catch(() => {});
        }
        buttons.forEach((button) => { button.disabled = false; });
      }

      buttons[0].addEventListener("click", () => answer(approve));
      buttons[1].addEventListener("click", () => answer(deny));
      document.getElementById("passkey").hidden = false;
    })();
    """#
}
