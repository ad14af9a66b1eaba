/** How calls are sent. */
export interface Sending {
    base: string;
    key: string;
    /** Milliseconds that a call has with its retries. */
    timeout: number;
    attempts: number;
}
/**
 * Sends a request until it is answered, or fails in a way that a retry does not mend. Every status but 200 and 201 is an error.
 * No redirect is followed, so that the key goes nowhere else.
 */
export declare function exchange(s: Sending, request: Request): Promise<Response>;
